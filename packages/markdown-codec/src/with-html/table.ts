import { isAllowed } from "../content.ts";
import { fits } from "../normal/table.ts";
import type { NodeJSON } from "../types.ts";
import { isAlignment } from "./tags.ts";

const childrenOf = ({ content = [] }: NodeJSON): readonly NodeJSON[] => content;

/** True for a table that only HTML can say: with spans, widths, blocks in cells, aligned text or headers anywhere. */
export function isRichTable(table: NodeJSON): boolean {
  const rows = childrenOf(table).map(childrenOf);
  const [head = []] = rows;
  const isWhole = rows.every((cells) => cells.length > 0 && cells.every(isCell));
  if (table.type !== "table" || rows.length === 0 || !isWhole) return false;
  const isPlain = (cell: NodeJSON, column: number, row: number): boolean =>
    fits(cell, head[column], row) && !isAlignment(cell.content?.[0]?.attrs?.textAlign);
  return !rows.every(
    (cells, row) => cells.length === head.length && cells.every((cell, column) => isPlain(cell, column, row)),
  );
}

function isCell({ type, content = [] }: NodeJSON): boolean {
  return (
    (type === "tableHeader" || type === "tableCell") &&
    content.length > 0 &&
    content.every((child, index) => isAllowed(child.type, type, index))
  );
}
