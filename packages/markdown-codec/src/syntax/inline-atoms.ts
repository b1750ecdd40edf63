import type { StateInline } from "markdown-it";
import { inlineMathAt } from "../math.ts";
import type { Attrs } from "../types.ts";
import { wikiLinkEnd } from "../wiki-link.ts";

function push(state: StateInline, end: number, type: string, attrs: Attrs, silent: boolean): boolean {
  if (!silent) {
    const token = state.push("atom", "", 0);
    token.content = state.src.slice(state.pos, end);
    token.info = type;
    token.meta = attrs;
  }
  state.pos = end;
  return true;
}

/** `$…$` and `$$…$$` within a line. */
export function inlineMath(state: StateInline, silent: boolean): boolean {
  const math = inlineMathAt(state.src, state.pos, state.posMax);
  if (math === undefined) return false;
  return push(state, math.end, "inlineMath", { latex: math.latex, display: math.display }, silent);
}

/** `[[page]]`, `[[page|text]]` and `![[file]]`. */
export function wikiLink(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("[[", state.pos + (state.src.charCodeAt(state.pos) === 0x21 ? 1 : 0))) return false;
  const end = wikiLinkEnd(state.src, state.pos);
  if (end === -1 || end > state.posMax) return false;
  return push(state, end, "wikiLink", { source: state.src.slice(state.pos, end) }, silent);
}
