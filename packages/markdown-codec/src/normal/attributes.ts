import { ATTRIBUTES, type AttributeRule } from "../attributes.ts";
import { cleanFootnoteLabel } from "../label.ts";
import type { Attrs, AttrValue, NodeJSON } from "../types.ts";
import type { Report } from "./report.ts";
import { cleanLine, cleanUrl } from "./text.ts";

const asText = (value: AttrValue | undefined): string => (typeof value === "string" ? value : "");
const url = (value: AttrValue | undefined): string => cleanUrl(asText(value));
const line = (value: AttrValue | undefined): string | null => cleanLine(asText(value)) || null;
const one = (): number => 1;
const none = (): null => null;

/** Attributes whose values are made fit for Markdown. The others keep a right value, and a wrong one is the default. */
const CLEANERS: { readonly [name: string]: (value: AttrValue | undefined) => AttrValue } = {
  id: (value) => cleanLine(asText(value)).replace(/[\s{}]+/g, "") || null,
  language: (value) => cleanLine(asText(value)).trim() || null,
  label: (value) => cleanFootnoteLabel(asText(value)),
  src: url,
  href: url,
  alt: line,
  title: line,
  // What Markdown has no word for.
  type: none,
  colspan: one,
  rowspan: one,
  colwidth: none,
};

function clean(name: string, rule: AttributeRule | undefined, value: AttrValue | undefined): AttrValue {
  const cleaner = CLEANERS[name];
  if (cleaner) return cleaner(value);
  return value !== undefined && rule?.test(value) ? value : (rule?.default ?? null);
}

/** The attributes of a node or mark in normal form; the same object where they are so already. */
export function cleanAttrs(type: string, attrs: Attrs | undefined): Attrs | undefined {
  const rules = ATTRIBUTES[type];
  if (rules === undefined) return undefined;
  let different = attrs === undefined ? 1 : 0;
  for (const name in rules) if (clean(name, rules[name], attrs?.[name]) !== attrs?.[name]) different++;
  for (const name in attrs) if (rules[name] === undefined) different++;
  if (different === 0) return attrs;
  return Object.fromEntries(Object.keys(rules).map((name) => [name, clean(name, rules[name], attrs?.[name])]));
}

/** Says so where more was done than completing attributes, or dropping some that say nothing. */
export function reportAttrs(type: string, before: Attrs | undefined, after: Attrs | undefined, report: Report): void {
  if (before === after || !before || !after) return;
  const isSame = Object.keys(after).every((name) => before[name] === undefined || before[name] === after[name]);
  if (!isSame) report.changed(`an attribute of a ${type} was cleaned`);
}

/** The block with this content and its attributes in normal form; the same node where nothing differs. */
export function rebuild(node: NodeJSON, content: readonly NodeJSON[], report: Report): NodeJSON {
  const { type } = node;
  const attrs = cleanAttrs(type, node.attrs);
  reportAttrs(type, node.attrs, attrs, report);
  const sameContent = content.length === 0 ? node.content === undefined : content === node.content;
  if (sameContent && attrs === node.attrs && node.marks === undefined) return node;
  return { type, ...(attrs ? { attrs } : undefined), ...(content.length > 0 ? { content } : undefined) };
}
