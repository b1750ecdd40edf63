import { ATTRIBUTES } from "../attributes.ts";
import { escapeHtml, unescapeHtml } from "../html/escape.ts";
import { cleanAttrs } from "../normal/attributes.ts";
import type { Attrs, AttrValue, NodeJSON } from "../types.ts";
import { isDataUrl, isSafeAddress } from "../url.ts";

const SPAN = '(?: colspan="(\\d{1,5})")?(?: rowspan="(\\d{1,5})")?';
const CELL = new RegExp(`<(td|th)${SPAN}(?: colwidth="([\\d,]{1,999})")?(?: align="(\\w+)")?>`);
const IMAGE =
  /^<img src="([^"]+)"(?: alt="([^"]+)")?(?: title="([^"]+)")?(?: width="([^"]+)")?(?: height="([^"]+)")?>$/;
const ALIGNED = /^<div align="(left|center|right|justify)">$/;

/** The line that ends an aligned block. */
export const ALIGNED_END = "</div>";

/** The sides that a paragraph or a heading can be aligned to. */
export function isAlignment(value: unknown): value is string {
  return typeof value === "string" && ALIGNED.test(alignedStart(value));
}

/** The line that begins a block that is aligned to this side. */
export function alignedStart(side: string): string {
  return `<div align="${side}">`;
}

/** The side that a line aligns a block to, or undefined. */
export function readAligned(source: string): string | undefined {
  return ALIGNED.exec(source)?.[1];
}

/** A width or a height in HTML: a number of pixels, or a share as `50%`. */
export function isSize(value: unknown): value is number | string {
  if (typeof value === "number") return Number.isInteger(value) && value >= 1 && value <= 99_999;
  return typeof value === "string" && /^[1-9]\d{0,2}%$/.test(value);
}

const attribute = (name: string, value: AttrValue | undefined): string =>
  value === null || value === undefined ? "" : ` ${name}="${escapeHtml(String(value))}"`;

/** The tag of an image with its sizes. The other attributes are in normal form. */
export function imageTag({ src, alt, title, width, height }: Attrs): string {
  const words = attribute("alt", alt) + attribute("title", title);
  return `<img${attribute("src", src)}${words}${attribute("width", width)}${attribute("height", height)}>`;
}

const unescaped = (text: string | undefined): string | null => (text === undefined ? null : unescapeHtml(text));

const sizeOf = (text: string | undefined): number | string | null =>
  text === undefined ? null : /^\d+$/.test(text) ? Number(text) : text;

/** The attributes of an image with sizes; undefined for every other tag than those that `imageTag` writes. */
export function readImageTag(source: string): Attrs | undefined {
  const [whole, src, alt, title, width, height] = IMAGE.exec(source) ?? [];
  if (whole === undefined) return undefined;
  const plain = { src: unescaped(src), alt: unescaped(alt), title: unescaped(title) };
  const sizes = { width: sizeOf(width), height: sizeOf(height) };
  if (!hasSize(sizes) || !isShown(plain.src) || cleanAttrs("image", plain) !== plain) return undefined;
  const attrs = { ...plain, ...sizes };
  return imageTag(attrs) === source ? attrs : undefined;
}

/** True for an address that an image may have. */
export function isShown(src: AttrValue | undefined): src is string {
  return typeof src === "string" && src !== "" && isSafeAddress(src) && !isDataUrl(src);
}

/** True where a width or a height is right and none is wrong. */
export function hasSize({ width = null, height = null }: Attrs): boolean {
  const sizes = [width, height].filter((size) => size !== null);
  return sizes.length > 0 && sizes.every(isSize);
}

// The widths of columns that HTML can say, or null.
function columnWidths(value: AttrValue | undefined): readonly number[] | null {
  const isList = Array.isArray(value) && value.length > 0 && value.length < 100;
  return isList && value.every((width) => isSize(width) && typeof width === "number") ? value : null;
}

/** The tag that begins a cell. */
export function cellTag({ type, attrs = {} }: NodeJSON): string {
  const span = (name: "colspan" | "rowspan"): string => {
    const value = attrs[name];
    return value !== 1 && ATTRIBUTES.tableCell?.[name]?.test(value) ? attribute(name, value) : "";
  };
  const align = attrs.align !== null && ATTRIBUTES.tableCell?.align?.test(attrs.align) ? attrs.align : null;
  const widths = attribute("colwidth", columnWidths(attrs.colwidth)?.join(",") ?? null);
  const name = type === "tableHeader" ? "th" : "td";
  return `<${name}${span("colspan")}${span("rowspan")}${widths}${attribute("align", align)}>`;
}

/** The line that ends a cell. */
export const cellEnd = ({ type }: NodeJSON): string => (type === "tableHeader" ? "</th>" : "</td>");

/** The cell without content that the first tag of its kind in a text begins. */
export function readCellTag(source: string): NodeJSON | undefined {
  const [whole, name, colspan, rowspan, widths, align = null] = CELL.exec(source) ?? [];
  if (whole === undefined) return undefined;
  const attrs = {
    colspan: Number(colspan ?? 1),
    rowspan: Number(rowspan ?? 1),
    colwidth: widths?.split(",").map(Number) ?? null,
    align,
  };
  return { type: name === "th" ? "tableHeader" : "tableCell", attrs };
}
