import { isCode } from "../normal/marks.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { escapeAlt, writeTitle, writeUrl } from "./escape.ts";

const AUTOLINK = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s\p{Cc}]*$/u;
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** The end of a link after its text. */
export function linkEnd(mark: MarkJSON): string {
  const title = writeTitle(mark.attrs?.title);
  return `](${writeUrl(String(mark.attrs?.href ?? ""), title !== "")}${title})`;
}

/** A link whose text is its address, in angle brackets; undefined where it is none. */
export function writeAutolink(node: NodeJSON, link: MarkJSON): string | undefined {
  if (node.type !== "text" || link.attrs?.title || isCode(node.marks)) return undefined;
  const text = node.text ?? "";
  const href = link.attrs?.href;
  const isAutolink = href === text ? AUTOLINK.test(text) : href === `mailto:${text}` && EMAIL.test(text);
  return isAutolink ? `<${text}>` : undefined;
}

/** An image with its description, address and title. */
export function writeImage(node: NodeJSON): string {
  const { src, alt, title } = node.attrs ?? {};
  const after = writeTitle(title);
  return `![${escapeAlt(typeof alt === "string" ? alt : "")}](${writeUrl(String(src ?? ""), after !== "")}${after})`;
}

/** Code between the shortest run of backticks that the text does not hold. */
export function writeCode(text: string): string {
  const runs = new Set<string>(text.match(/`+/g));
  let fence = "`";
  while (runs.has(fence)) fence += "`";
  const pad = /^`|`$|^ .+ $/.test(text) ? " " : "";
  return fence + pad + text + pad + fence;
}
