import { cleanFootnoteLabel } from "../label.ts";
import type { Attrs, AttrValue } from "../types.ts";
import { cleanLine, cleanUrl } from "./text.ts";

/** Gives the value in normal form; `undefined` stands for an attribute that is missing. */
type Cleaner = (value: AttrValue | undefined) => AttrValue;

const integer =
  (least: number, most: number, fallback: number): Cleaner =>
  (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : fallback;

const url: Cleaner = (value) => (typeof value === "string" ? cleanUrl(value) : "");
const optionalLine: Cleaner = (value) => (typeof value === "string" ? cleanLine(value) || null : null);
const label: Cleaner = (value) => cleanFootnoteLabel(typeof value === "string" ? value : "");
const always =
  (constant: AttrValue): Cleaner =>
  () =>
    constant;

const headingId: Cleaner = (value) =>
  typeof value === "string" ? cleanLine(value).replace(/[\s{}]+/g, "") || null : null;
const language: Cleaner = (value) => (typeof value === "string" ? cleanLine(value).trim() || null : null);
const align: Cleaner = (value) => (value === "left" || value === "center" || value === "right" ? value : null);

const cell = { colspan: always(1), rowspan: always(1), colwidth: always(null), align };

const CLEANERS: { readonly [type: string]: { readonly [name: string]: Cleaner } } = {
  heading: { level: integer(1, 6, 1), id: headingId },
  orderedList: { start: integer(0, 999_999_999, 1), type: always(null) },
  taskItem: { checked: (value) => value === true },
  codeBlock: { language },
  tableHeader: cell,
  tableCell: cell,
  footnoteDefinition: { label },
  footnoteReference: { label },
  image: { src: url, alt: optionalLine, title: optionalLine },
  link: { href: url, title: optionalLine },
};

/** The attributes of a node or mark in normal form; the same object where they are so already. */
export function cleanAttrs(type: string, attrs: Attrs | undefined): Attrs | undefined {
  const cleaners = CLEANERS[type];
  if (cleaners === undefined) return undefined;
  const clean: { [name: string]: AttrValue } = {};
  let same = attrs !== undefined;
  for (const name in cleaners) {
    const value = attrs?.[name];
    const cleaned = cleaners[name]?.(value) ?? null;
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
