import { ATTRIBUTES } from "../attributes.ts";
import { cleanFootnoteLabel } from "../label.ts";
import type { Attrs, AttrValue } from "../types.ts";
import { cleanLine, cleanUrl } from "./text.ts";

const asText = (value: AttrValue | undefined): string => (typeof value === "string" ? value : "");
const url = (value: AttrValue | undefined): string => cleanUrl(asText(value));
const line = (value: AttrValue | undefined): string | null => cleanLine(asText(value)) || null;

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
  type: () => null,
  colspan: () => 1,
  rowspan: () => 1,
  colwidth: () => null,
};

/** The attributes of a node or mark in normal form; the same object where they are so already. */
export function cleanAttrs(type: string, attrs: Attrs | undefined): Attrs | undefined {
  const rules = ATTRIBUTES[type];
  if (rules === undefined) return undefined;
  const clean: { [name: string]: AttrValue } = {};
  let same = attrs !== undefined;
  for (const name in rules) {
    const value = attrs?.[name];
    const cleaner = CLEANERS[name];
    const kept = value !== undefined && rules[name]?.test(value) ? value : (rules[name]?.default ?? null);
    const cleaned = cleaner ? cleaner(value) : kept;
    if (cleaned !== value) same = false;
    clean[name] = cleaned;
  }
  if (same && attrs !== undefined && Object.keys(attrs).length === Object.keys(clean).length) return attrs;
  return clean;
}

/** True where only attributes were completed or dropped that say nothing: no change worth a report. */
export function isSameMeaning(before: Attrs | undefined, after: Attrs | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  return Object.keys(after).every((name) => before[name] === undefined || before[name] === after[name]);
}
