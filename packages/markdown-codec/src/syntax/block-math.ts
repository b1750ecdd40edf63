import type { StateBlock } from "markdown-it";

function isFence(state: StateBlock, line: number): boolean {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.startsWith("$$", start) && state.src.slice(start + 2, state.eMarks[line]).trim() === "";
}

/** `$$`, lines of LaTeX, and `$$` again. Without its end it is text. */
export function blockMath(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (silent || !isFence(state, line)) return false;
  for (let end = line + 1; end < endLine; end++) {
    const indent = state.sCount[end] ?? 0;
    if (!state.isEmpty(end) && indent < state.blkIndent) return false;
    if (indent - state.blkIndent >= 4 || !isFence(state, end)) continue;
    const token = state.push("block_math", "", 0);
    token.content = state.getLines(line + 1, end, state.sCount[line] ?? 0, false);
    token.map = [line, end + 1];
    state.line = end + 1;
    return true;
  }
  return false;
}
