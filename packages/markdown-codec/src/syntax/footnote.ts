import type { StateBlock, StateInline } from "markdown-it";
import { foldLabel } from "../label.ts";
import { environmentOf, isDefined } from "./environment.ts";

const UNFIT = /[\s\p{Cc}]/u;

/**
 * The end of the label of `[^label]` that begins at `start`, or -1. No `[` or `^` lies inside, so that a run of openers
 * is scanned once.
 */
export function labelEnd(src: string, start: number, max: number): number {
  if (src.charCodeAt(start) !== 0x5b || src.charCodeAt(start + 1) !== 0x5e) return -1;
  for (let pos = start + 2; pos < max; pos++) {
    const code = src.charCodeAt(pos);
    if (code === 0x5d) return pos > start + 2 ? pos : -1;
    if (code === 0x5b || code === 0x5c || code === 0x5e || code <= 0x20) return -1;
    if (code >= 0x7f && UNFIT.test(src.charAt(pos))) return -1;
  }
  return -1;
}

// The position after "[^label]:", or -1. The line may be indented by three columns from `margin`.
function definitionStart(state: StateBlock, line: number, margin = state.blkIndent): number {
  if ((state.sCount[line] ?? 0) - margin >= 4) return -1;
  const end = labelEnd(state.src, lineStart(state, line), state.eMarks[line] ?? 0);
  return end !== -1 && state.src.charCodeAt(end + 1) === 0x3a ? end + 2 : -1;
}

function lineStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

/** `[^label]: …`; the blocks that follow, indented by four columns, belong to it. */
export function footnoteDefinition(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const indent = state.sCount[line] ?? 0;
  // A line that lies outside of the list around it ends that list, as any other block would.
  const outside = silent && indent >= 0 && indent < state.blkIndent;
  const contentStart = definitionStart(state, line, outside ? 0 : state.blkIndent);
  if (contentStart === -1) return false;
  if (silent) return true;

  const label = state.src.slice(lineStart(state, line) + 2, contentStart - 2);
  environmentOf(state).footnotes.add(foldLabel(label));
  const open = state.push("footnote_open", "footnote", 1);
  open.info = label;
  open.map = [line, line];
  readContent(state, line, endLine, contentStart);
  state.push("footnote_close", "footnote", -1);
  return true;
}

// Text after the label on its line is never indented code, however large the gap.
function readContent(state: StateBlock, line: number, endLine: number, contentStart: number): void {
  const { parentType } = state;
  const before = [state.bMarks[line] ?? 0, state.tShift[line] ?? 0, state.sCount[line] ?? 0] as const;
  state.blkIndent += 4;
  state.parentType = "root";
  state.bMarks[line] = contentStart;
  state.tShift[line] = state.skipSpaces(contentStart) - contentStart;
  state.sCount[line] = state.blkIndent;
  state.md.block.tokenize(state, line, endLine);
  state.blkIndent -= 4;
  state.parentType = parentType;
  [state.bMarks[line], state.tShift[line], state.sCount[line]] = before;
}

/** `[^label]` where the label is defined; otherwise it stays text, or becomes a link as CommonMark says. */
export function footnoteReference(state: StateInline, silent: boolean): boolean {
  const end = labelEnd(state.src, state.pos, state.posMax);
  if (end === -1) return false;
  const label = state.src.slice(state.pos + 2, end);
  if (!isDefined(environmentOf(state), foldLabel(label))) return false;
  if (!silent) state.push("footnote_ref", "", 0).info = label;
  state.pos = end + 1;
  return true;
}
