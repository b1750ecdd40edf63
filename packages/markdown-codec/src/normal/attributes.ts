import { ATTRIBUTES, type AttributeRule } from "../attributes.ts";
import { isCalloutKind } from "../callout.ts";
import { cleanFootnoteLabel } from "../label.ts";
import type { Attrs, AttrValue, NodeJSON } from "../types.ts";
import type { Report } from "./report.ts";
import { cleanLine, cleanUrl } from "./text.ts";

const asText = (value: AttrValue | undefined): string => (typeof value === "string" ? value : "");
const url = (value: AttrValue | undefined): string => cleanUrl(asText(value));
const line = (value: AttrValue | undefined): string | null => cleanLine(asText(value)) || null;
const name = (value: AttrValue | undefined): string => cleanLine(asText(value)).trim();
const one = (): number => 1;
const none = (): null => null;

/** Attributes whose values are made fit for Markdown. The others keep a right value, and a wrong one is the default. */
const CLEANERS: { readonly [name: string]: (value: AttrValue | undefined) => AttrValue } = {
  id: (value) => cleanLine(asText(value)).replace(/[\s{}]+/g, "") || null,
  language: (value) => cleanLine(asText(value)).trim() || null,
  label: (value) => cleanFootnoteLabel(asText(value)),
  "callout.kind": (value) => {
    const word = asText(value).toLowerCase();
    return isCalloutKind(word) ? word : "note";
  },
  summary: (value) => name(value) || null,
  "mention.label": name,
  src: url,
  href: url,
  alt: line,
  title: line,
  // Attributes that Markdown cannot express.
  type: none,
  colspan: one,
  rowspan: one,
  colwidth: none,
};

type Cleaner = (value: AttrValue | undefined) => AttrValue;

function cleanerOf(type: string, name: string, rule: AttributeRule): Cleaner {
  const keepsRight: Cleaner = (value) => (value !== undefined && rule.test(value) ? value : (rule.default ?? null));
  return CLEANERS[`${type}.${name}`] ?? CLEANERS[name] ?? keepsRight;
}

/** An attribute of a type, and what makes its value fit for Markdown. */
interface Attribute {
  readonly name: string;
  readonly clean: Cleaner;
}

/** The attributes of every type that has some. */
const TYPES: ReadonlyMap<string, readonly Attribute[]> = new Map(
  Object.entries(ATTRIBUTES).map(([type, rules]) => [
    type,
    Object.entries(rules).map(([name, rule]) => ({ name, clean: cleanerOf(type, name, rule) })),
  ]),
);

function areClean(attrs: Attrs, attributes: readonly Attribute[]): boolean {
  for (const { name, clean } of attributes) if (clean(attrs[name]) !== attrs[name]) return false;
  return Object.keys(attrs).length === attributes.length;
}

/** The attributes of a node or mark in normal form; the same object where they are so already. */
export function cleanAttrs(type: string, attrs: Attrs | undefined): Attrs | undefined {
  const attributes = TYPES.get(type);
  if (attributes === undefined) return undefined;
  if (attrs !== undefined && areClean(attrs, attributes)) return attrs;
  return Object.fromEntries(attributes.map(({ name, clean }) => [name, clean(attrs?.[name])]));
}

/** Reports what an attribute loses: a value that was cleaned, or one that says something and has no place. */
export function reportAttrs(type: string, before: Attrs | undefined, after: Attrs | undefined, report: Report): void {
  if (before === after || !before) return;
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined || value === after?.[name]) continue;
    if (after && Object.hasOwn(after, name)) report.changed(`the attribute ${name} of a ${type} was cleaned`);
    else if (value !== null) report.changed(`the attribute ${name} of a ${type} was left out`);
  }
}

/** Reports the attributes of a node that its type does not have, where they say something. */
export function reportUnknownAttrs({ type, attrs }: NodeJSON, report: Report): void {
  for (const [name, value] of Object.entries(attrs ?? {})) {
    const isKnown = ATTRIBUTES[type]?.[name] !== undefined;
    if (!isKnown && value !== null) report.changed(`the attribute ${name} of a ${type} was left out`);
  }
}

/** The block with this content and its attributes in normal form; the same node where nothing differs. */
export function rebuild(node: NodeJSON, content: NodeJSON[], report: Report): NodeJSON {
  const { type } = node;
  const attrs = cleanAttrs(type, node.attrs);
  reportAttrs(type, node.attrs, attrs, report);
  if (node.marks?.length) report.changed(`the marks of a ${type} were left out`);
  const sameContent = content.length === 0 ? node.content === undefined : content === node.content;
  if (sameContent && attrs === node.attrs && node.marks === undefined) return node;
  return { type, ...(attrs ? { attrs } : undefined), ...(content.length > 0 ? { content } : undefined) };
}
