import { environmentOf } from "./environment.ts";
import { firstCode, take, textOf } from "./raw-block.ts";
import type { BlockRule } from "./rule.ts";

const canBeDelimiter = (code: number): boolean => code === 0x7c || code === 0x2d || code === 0x3a;

const UNDERLINE = /^-+[ \t]*$/;

/**
 * A table; one that has a row with more cells than columns is kept as it is. `table` is markdown-it's rule, which asks for
 * tables first. For GFM the line of the head is text: one that begins another block (`isNoHead`) or has an underline
 * below, as in `a |` above `---`, is no head.
 */
export function wholeTable(table: BlockRule, isNoHead: BlockRule): BlockRule {
  return (state, line, endLine, silent) => {
    if (line + 1 >= endLine || !canBeDelimiter(firstCode(state, line + 1))) return false;
    if (UNDERLINE.test(textOf(state, line + 1)) || !table(state, line, endLine, true)) return false;
    if (isNoHead(state, line, endLine, true)) return false;
    if (silent) return true;
    const environment = environmentOf(state);
    const { length } = state.tokens;
    environment.isHolding = true;
    const isTable = table(state, line, endLine, false);
    environment.isHolding = false;
    if (!isTable) return false;
    const columns = cellsOf(textOf(state, line + 1)).length;
    for (let row = line + 2; row < state.line; row++) {
      if (!hasMoreCells(textOf(state, row), columns)) continue;
      state.tokens.length = length;
      return take(state, line, state.line, "table");
    }
    return true;
  };
}

// True for a row that says something beyond its last column. Most rows have too few pipes for that.
function hasMoreCells(row: string, columns: number): boolean {
  let pipes = 0;
  for (let at = row.indexOf("|"); at !== -1; at = row.indexOf("|", at + 1)) pipes++;
  if (pipes < columns) return false;
  return cellsOf(row)
    .slice(columns)
    .some((cell) => cell.trim() !== "");
}

const PIPE = /(?<!\\)\|/;

// The cells of a row, without the edges that its outer pipes make.
function cellsOf(row: string): string[] {
  const cells = row.trim().split(PIPE);
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells;
}
