import type { ReplaceRangesStep } from "@kb/live/session";
import { Fragment, type Node, Slice } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { nodeType } from "./commands.ts";

/**
 * Tables as the codec has them: headers in the first row only, the same alignment in each cell of a column, no spans. A row that
 * others made shorter or longer meanwhile stays so; the service repairs it.
 */
export type TablePlace = {
  readonly table: Node;
  /** Where the first row begins. */
  readonly start: number;
  readonly row: number;
  readonly column: number;
  readonly columns: number;
};

/** A table grows to at most this many rows and columns. Each change of a column is one step with at most two ranges in each row, of which a step has at most 1,000. */
export const mostRows = 500;
export const mostColumns = 50;

/** How the text of a column is aligned; null as the text itself is. */
export type Alignment = "left" | "center" | "right" | null;

/** A range and what takes its place. */
export type Replacement = ConstructorParameters<typeof ReplaceRangesStep>[0][number];

/** Returns the innermost table around the start of the selection, and its cell; null outside of tables. */
export function placeOf({ selection: { $from } }: EditorState): TablePlace | null {
  for (let depth = $from.depth; depth > 0; depth--) {
    const table = $from.node(depth);
    if (table.type.name !== "table") continue;
    const row = $from.index(depth);
    const columns = table.child(0).childCount;
    return { table, start: $from.start(depth), row, column: $from.depth > depth ? $from.index(depth + 1) : 0, columns };
  }
  return null;
}

/** Returns nodes as a slice that is closed on both sides. */
export const sliceOf = (nodes: Node | readonly Node[]): Slice => new Slice(Fragment.from(nodes), 0, 0);

/** Returns an empty cell of a row. */
export const emptyCell = (row: number, align: Alignment): Node =>
  nodeType(row === 0 ? "tableHeader" : "tableCell").create({ align }, nodeType("paragraph").create());

/** Returns the alignment of a column, which is that of its heading. */
export function alignmentOf(table: Node, column: number): Alignment {
  const align: unknown = table.child(0).maybeChild(column)?.attrs.align;
  return align === "left" || align === "center" || align === "right" ? align : null;
}

/** Returns the rows of a table with their positions. */
export function rowsOf(
  table: Node,
  start: number,
): { readonly node: Node; readonly position: number; readonly index: number }[] {
  let position = start;
  return table.children.map((node, index) => {
    const row = { node, position, index };
    position += node.nodeSize;
    return row;
  });
}

/** Returns the position of a row; that behind the last row for one that is not there. */
export const startOfRow = (table: Node, start: number, row: number): number =>
  table.children.slice(0, row).reduce((position, { nodeSize }) => position + nodeSize, start);

/** Returns the position of a cell in a row; that behind the last cell for one that is not there. */
export const startOfCell = (row: Node, position: number, column: number): number =>
  row.children.slice(0, column).reduce((at, { nodeSize }) => at + nodeSize, position + 1);

/** Returns the position of a cell, or of the last one in its row; null without any. */
export function cellAt(tr: Transaction, start: number, row: number, column: number): number | null {
  const table = tr.doc.resolve(start).parent;
  const node = table.maybeChild(row);
  if (node === null || node.childCount === 0) return null;
  return startOfCell(node, startOfRow(table, start, row), Math.min(column, node.childCount - 1));
}
