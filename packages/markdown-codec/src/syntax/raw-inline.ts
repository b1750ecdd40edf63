import type { StateInline } from "markdown-it";
import { htmlEnd } from "./html.ts";

function take(state: StateInline, end: number, kind: string, silent: boolean): boolean {
  if (end === -1 || end > state.posMax) return false;
  if (!silent) {
    const token = state.push("raw", "", 0);
    token.info = kind;
    token.content = state.src.slice(state.pos, end);
  }
  state.pos = end;
  return true;
}

/** HTML within a line: kept as it is written. The tags of marks come before, as marks. */
export function inlineHtml(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  const kind = state.src.startsWith("<!--", state.pos) ? "comment" : "html";
  return take(state, htmlEnd(state), kind, silent);
}

const DIRECTIVE = /(?<![\w:]):[a-z][\w-]*\[(?:[^[\]\\\n^][^[\]\\\n]*)?\](?:\{[^{}\n]*\})?(?![([])/y;

/** `:name[label]{attributes}`, as written. */
export function inlineDirective(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a) return false;
  DIRECTIVE.lastIndex = state.pos;
  return DIRECTIVE.test(state.src) && take(state, DIRECTIVE.lastIndex, "directive", silent);
}

const BLOCK_ID = /(?<![^ \n])\^[A-Za-z0-9][A-Za-z0-9-]*$/y;

/** `^id` at the end of a block, by which Obsidian refers to it. */
export function blockId(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== 0x5e || state.level > 0) return false;
  BLOCK_ID.lastIndex = state.pos;
  return BLOCK_ID.test(state.src) && take(state, state.src.length, "blockId", silent);
}
