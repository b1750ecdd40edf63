import type { StateInline } from "markdown-it";
import { isMarkTag } from "./tag.ts";

const ATTRIBUTE = "\\s+[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\"'=<>`\\s]+|'[^']*'|\"[^\"]*\"))?";
const TAG = `<(?:[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\\s*/?|/[A-Za-z][A-Za-z0-9-]*\\s*)>`;
const ONE_TAG = new RegExp(TAG, "y");
const ONLY_TAG = new RegExp(`^${TAG}\\s*$`);

const BLOCK_TAG =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s>]|\/>|$)/i;

/** How an HTML block begins, and the sign in its last line; without one a blank line ends it. */
interface Condition {
  readonly start: RegExp;
  readonly end?: RegExp;
  readonly interrupts: boolean;
}

/** The conditions of CommonMark's section 4.6, in its order. */
export const HTML_BLOCKS: readonly Condition[] = [
  {
    start: /^<(?:script|pre|style|textarea)(?=[\s>]|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
    interrupts: true,
  },
  { start: /^<!--/, end: /-->/, interrupts: true },
  { start: /^<\?/, end: /\?>/, interrupts: true },
  { start: /^<!\[CDATA\[/, end: /\]\]>/, interrupts: true },
  { start: /^<![A-Za-z]/, end: />/, interrupts: true },
  { start: BLOCK_TAG, interrupts: true },
  { start: ONLY_TAG, interrupts: false },
];

/** The number of the condition under which a line begins an HTML block, or -1. The tags of marks begin none. */
export function htmlCondition(line: string): number {
  if (!line.startsWith("<")) return -1;
  const found = HTML_BLOCKS.findIndex(({ start }) => start.test(line));
  return found === HTML_BLOCKS.length - 1 && isMarkTag(line.trim()) ? -1 : found;
}

/** True for a line that begins an HTML block, where it stands in a paragraph or at its beginning. */
export function beginsHtml(line: string, isContinuation: boolean): boolean {
  const rule = HTML_BLOCKS[htmlCondition(line)];
  return rule !== undefined && (rule.interrupts || !isContinuation);
}

/** HTML within a line that ends with a sign of its own. */
const SIGNS: readonly (readonly [open: string, close: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
];

// The signs that a line of text does not hold any more: each is looked for once.
const missing = new WeakMap<StateInline, Set<string>>();

function indexOf(state: StateInline, sign: string, from: number): number {
  const known = missing.get(state);
  if (known?.has(sign)) return -1;
  const found = state.src.indexOf(sign, from);
  if (found !== -1) return found;
  if (known === undefined) missing.set(state, new Set([sign]));
  else known.add(sign);
  return -1;
}

/** The end of the HTML that begins at the position of the state, or -1. */
export function htmlEnd(state: StateInline): number {
  const { src, pos } = state;
  if (src.startsWith("<!-->", pos)) return pos + 5;
  if (src.startsWith("<!--->", pos)) return pos + 6;
  for (const [open, close] of SIGNS) {
    if (!src.startsWith(open, pos)) continue;
    const end = indexOf(state, close, pos + open.length);
    return end === -1 ? -1 : end + close.length;
  }
  if (src.charCodeAt(pos + 1) === 0x21) {
    const end = /[A-Za-z]/.test(src.charAt(pos + 2)) ? indexOf(state, ">", pos) : -1;
    return end === -1 ? -1 : end + 1;
  }
  ONE_TAG.lastIndex = pos;
  return ONE_TAG.test(src) ? ONE_TAG.lastIndex : -1;
}
