import { bareAddresses } from "../bare-addresses.ts";
import { mentionAddress } from "../mention.ts";
import { isCode, NO_MARKS } from "../normal/marks.ts";
import type { EmojiLookup } from "../syntax/emoji-rule.ts";
import type { Attrs, MarkJSON, NodeJSON } from "../types.ts";
import { escapeAlt, type ReadSigns, writeTitle, writeUrl } from "./escape.ts";

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

const BARE = /^[\p{L}\p{N}:/.?#@%+,;=&~()!_-]+$/u;
// A domain in which all readers agree on an address, and what may follow it.
const CERTAIN = /^https?:\/\/(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]+(?::\d+)?(?:[/?#]|$)/u;
const AFTER = /^(?:[ \t]|< |[?!.,;'")]+(?:[ \t]|$))/;

/** True where the address at this index is read as a link without brackets around it. */
export function isBareAddress(nodes: readonly NodeJSON[], index: number, emojiFor: EmojiLookup): boolean {
  const { text = "", marks = NO_MARKS } = nodes[index] ?? {};
  const before = nodes[index - 1];
  const after = nodes[index + 1];
  const { href, title } = marks[0]?.attrs ?? {};
  if (title) return false;
  if (marks.length !== 1 || typeof href !== "string" || !href.endsWith(text)) return false;
  if (!BARE.test(text) || (text === href && !CERTAIN.test(text))) return false;
  // The text after it could make a shortcode of its end: ":+1" and ":".
  if (!escapeAlt(text + (after?.text ?? ""), { emojiFor }).startsWith(text)) return false;
  if (!isSilent(before) || !isSilent(after)) return false;
  if (after?.text && !AFTER.test(after.text)) return false;
  if (after?.text && !/[ \t]/.test(after.text) && nodes[index + 2] !== undefined) return false;
  const start = before?.text?.length ?? 0;
  const isStart = isEdge(before) || isEdge(nodes[index - 2]);
  // White space that begins a line is written as an entity, after which some readers see no address.
  if (isStart && before?.text?.trim() === "") return false;
  return bareAddresses((before?.text ?? "") + text + (after?.text ?? ""), isStart).some(
    (found) => found.start === start && found.end === start + text.length && found.href === href,
  );
}

const isEdge = (node: NodeJSON | undefined): boolean => node === undefined || node.type === "hardBreak";
const isSilent = (node: NodeJSON | undefined): boolean =>
  node === undefined || (node.marks === undefined && (node.type === "text" || node.type === "hardBreak"));

/** A formula within a line. */
export function writeInlineMath({ latex, display }: Attrs): string {
  const sign = display === true ? "$$" : "$";
  return sign + latex + sign;
}

/** A mention as a link to a user. */
export function writeMention({ id, label }: Attrs, read: ReadSigns): string {
  return `[${escapeAlt(`@${label}`, read)}](${mentionAddress(id)})`;
}

/** An image with its description, address and title. */
export function writeImage(node: NodeJSON, read: ReadSigns): string {
  const { src, alt, title } = node.attrs ?? {};
  const after = writeTitle(title);
  return `![${escapeAlt(typeof alt === "string" ? alt : "", read)}](${writeUrl(String(src ?? ""), after !== "")}${after})`;
}

/** Code between the shortest run of backticks that the text does not hold. */
export function writeCode(text: string): string {
  const runs = new Set<string>(text.match(/`+/g));
  let fence = "`";
  while (runs.has(fence)) fence += "`";
  const pad = /^`|`$|^ .+ $/.test(text) ? " " : "";
  return fence + pad + text + pad + fence;
}
