import type { NodeJSON } from "./types.ts";

// The content of a formula: no `$` but an escaped one, so that the next `$` always ends it.
const CONTENT = /^(?:\\[^\n]|[^$\\\n])+$/;
const EDGE = /^\s|\s$/;

/** True for LaTeX that can stand between `$` and `$`. */
export function isInlineMath(latex: string): boolean {
  return CONTENT.test(latex) && !EDGE.test(latex);
}

const FENCE = /^[ \t]*\$\$\s*$/;

/** True for LaTeX that can stand between two lines of `$$`. U+2028 ends no line, and only spaces and tabs indent one. */
export function isBlockMath(latex: string): boolean {
  return !latex.includes("$$") || !latex.split("\n").some((line) => FENCE.test(line));
}

/** A formula within a line of text. */
export interface InlineMath {
  readonly latex: string;
  readonly display: boolean;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}]/u;

/**
 * The formula that begins at `start`, `$…$` or `$$…$$`. Prices are text: no space stands inside of the signs, and no
 * letter or digit outside. Only the next `$` can end it.
 */
export function inlineMathAt(src: string, start: number, max: number): InlineMath | undefined {
  const before = src.charAt(start - 1);
  if (before === "$" || WORD.test(before)) return undefined;
  const display = src.startsWith("$$", start);
  const open = start + (display ? 2 : 1);
  const close = nextDollar(src, open, max);
  const end = close + (display ? 2 : 1);
  if (close === -1 || end > max || (display && src.charAt(close + 1) !== "$")) return undefined;
  const after = end < max ? src.charAt(end) : "";
  if (after === "$" || WORD.test(after)) return undefined;
  const inner = src.slice(open, close);
  const latex = (display ? inner.trim() : inner).replace(/[ \t]*\n[ \t]*/g, " ");
  return isInlineMath(latex) ? { latex, display, end } : undefined;
}

// White space that is written as an entity: at the beginning of a line, and at the end of a link's text that ends the block.
// Looks back instead of matching: a break can follow a break. Halves of a character are no letters to the reader either.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they stand between two nodes, and after the text of one
const NO_SPACE = /(?<=^|\n\u0001)[^\S\n]|\s(?=\u0002[^\u0001]*$)|[\ud800-\udfff]/g;

// A sign that could begin a formula, and one that could end it, whatever stands between them.
const OPENER = /(?<![\p{L}\p{N}])\$(?!\s)/u;
const CLOSER = /(?<!\s)\$(?![\p{L}\p{N}])/u;

/** True where signs in the text of these nodes could be read as those of a formula. */
export function holdsMath(nodes: readonly NodeJSON[]): boolean {
  if (!nodes.some(({ text }) => text?.includes("$"))) return false;
  // Its first sign could end what begins in the text before it.
  if (nodes.some(({ type }) => type === "inlineMath")) return true;
  const source = nodes.map(sourceOf).join("\u0001").replace(NO_SPACE, "\u0001");
  const start = source.search(OPENER);
  return start !== -1 && CLOSER.test(source.slice(start + 1));
}

// All that the node writes, as far as it can hold a sign; a backslash is written as two. Some of the signs are escaped
// where they are written, and attributes stand here after every node of a link: that only adds signs, and no sign is
// taken to be the only one that could end a formula.
function sourceOf({ type, text, attrs, marks = [] }: NodeJSON): string {
  if (type === "hardBreak") return "\n";
  const values = [attrs, ...marks.map((mark) => mark.attrs)].flatMap((held) => Object.values(held ?? {}));
  return [text, ...values]
    .filter((value) => typeof value === "string")
    .join("\u0002")
    .replaceAll("\\", "\\\\");
}

function nextDollar(src: string, start: number, max: number): number {
  for (let pos = start; pos < max; pos++) {
    const code = src.charCodeAt(pos);
    if (code === 0x5c) pos++;
    else if (code === 0x24) return pos;
  }
  return -1;
}
