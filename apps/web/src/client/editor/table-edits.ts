import { ReplaceRangesStep } from "@kb/live/session";
import { closeHistory } from "prosemirror-history";
import { type Node, Slice } from "prosemirror-model";
import { type Command, type EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { nodeType } from "./commands.ts";
import {
  type Alignment,
  alignmentOf,
  cellAt,
  emptyCell,
  mostColumns,
  mostRows,
  placeOf,
  type Replacement,
  rowsOf,
  sliceOf,
  startOfCell,
  startOfRow,
  type TablePlace,
} from "./table-grid.ts";

export type Side = -1 | 1;

type TableEdit = (place: TablePlace, state: EditorState) => Transaction | null;

/** Inserts an empty row above or below that of the caret; the row above the headings becomes the headings. */
export const insertRow = (side: Side): Command =>
  editing(({ table, start, row, column, columns }, { tr }) => {
    if (table.childCount >= mostRows) return null;
    const index = side < 0 ? row : row + 1;
    const cells = Array.from({ length: columns }, (_, at) => emptyCell(index, alignmentOf(table, at)));
    tr.insert(startOfRow(table, start, index), nodeType("tableRow").create(null, cells));
    return withCaret(withHeadings(tr, start), start, index, column);
  });

/** Inserts an empty column before or after that of the caret. */
export const insertColumn = (side: Side): Command =>
  editing(({ table, start, row, column, columns }, { tr }) => {
    if (columns >= mostColumns || table.childCount > mostRows) return null;
    const index = side < 0 ? column : column + 1;
    const inserted = rowsOf(table, start).map(({ node, position, index: at }): Replacement => {
      const place = startOfCell(node, position, Math.min(index, node.childCount));
      return { from: place, to: place, slice: sliceOf(emptyCell(at, null)) };
    });
    return withCaret(tr.step(new ReplaceRangesStep(inserted)), start, row, index);
  });

/** Deletes the row of the caret; below the headings, the first row takes their place. The last row stays: the table goes as a whole. */
export const deleteRow: Command = editing(({ table, start, row, column }, { tr }) => {
  if (table.childCount < 2) return null;
  tr.delete(startOfRow(table, start, row), startOfRow(table, start, row + 1));
  return withCaret(withHeadings(tr, start), start, Math.min(row, table.childCount - 2), column);
});

/** Deletes the column of the caret. The last column stays: the table goes as a whole. */
export const deleteColumn: Command = editing(({ table, start, row, column, columns }, { tr }) => {
  if (columns < 2 || table.childCount > mostRows) return null;
  const deleted = rowsOf(table, start)
    .filter(({ node }) => column < node.childCount)
    .map(({ node, position }): Replacement => {
      const from = startOfCell(node, position, column);
      return { from, to: from + node.child(column).nodeSize, slice: Slice.empty };
    });
  return withCaret(tr.step(new ReplaceRangesStep(deleted)), start, row, Math.min(column, columns - 2));
});

/** Deletes the table of the caret. */
export const deleteTable: Command = editing(({ table, start }, { tr }) =>
  tr.delete(start - 1, start - 1 + table.nodeSize),
);

/** Moves the row of the caret up or down by one; what comes first is the headings. */
export const moveRow = (side: Side): Command =>
  editing(({ table, start, row, column }, state) => {
    const other = row + side;
    if (other < 0 || other >= table.childCount) return null;
    const upper = Math.min(row, other);
    const position = startOfRow(table, start, upper);
    const swapped = swap(table.child(upper), table.child(upper + 1), position);
    const tr = withHeadings(state.tr.step(new ReplaceRangesStep(swapped)), start);
    return withCaret(tr, start, other, column, offsetInCell(state));
  });

/** Moves the column of the caret by one, towards the end of its rows or their beginning. */
export const moveColumn = (side: Side): Command =>
  editing(({ table, start, row, column, columns }, state) => {
    const other = column + side;
    if (other < 0 || other >= columns || table.childCount > mostRows) return null;
    const first = Math.min(column, other);
    const swapped = rowsOf(table, start)
      .filter(({ node }) => first + 1 < node.childCount)
      .flatMap(({ node, position }) =>
        swap(node.child(first), node.child(first + 1), startOfCell(node, position, first)),
      );
    if (swapped.length === 0) return null;
    return withCaret(state.tr.step(new ReplaceRangesStep(swapped)), start, row, other, offsetInCell(state));
  });

/** Aligns the text of the column of the caret. */
export const alignColumn = (align: Alignment): Command =>
  editing(({ table, start, column }, { tr }) => {
    if (table.childCount > mostRows) return null;
    for (const { node, position } of rowsOf(table, start)) {
      const cell = node.maybeChild(column);
      if (cell === null || cell.attrs.align === align) continue;
      tr.setNodeAttribute(startOfCell(node, position, column), "align", align);
    }
    return tr;
  });

/** Returns the alignment of the column of the caret. */
export function alignmentAround(state: EditorState): Alignment {
  const place = placeOf(state);
  return place === null ? null : alignmentOf(place.table, place.column);
}

/** Leads to the next cell or the one before, from the last one to a new row. */
export const goToCell = (side: Side): Command =>
  editing(({ table, start, row, column }, state) => {
    const isInRow = column + side >= 0 && column + side < table.child(row).childCount;
    if (isInRow) return withSelectedCell(state.tr, start, row, column + side);
    const next = table.maybeChild(row + side);
    if (next === null) return side > 0 ? addRow(state) : null;
    return withSelectedCell(state.tr, start, row + side, side > 0 ? 0 : next.childCount - 1);
  });

function addRow(state: EditorState): Transaction | null {
  let added: Transaction | null = null;
  insertRow(1)(state, (tr) => {
    added = tr;
  });
  const place = placeOf(state);
  return added === null || place === null ? null : withCaret(added, place.start, place.row + 1, 0);
}

/** Returns a command for the table around the caret; one that can do nothing returns false. Undo takes it back by itself. */
function editing(edit: TableEdit): Command {
  return (state, dispatch) => {
    const place = placeOf(state);
    const changed = place === null ? null : edit(place, state);
    if (changed === null) return false;
    dispatch?.((changed.docChanged ? closeHistory(changed) : changed).scrollIntoView());
    return true;
  };
}

/**
 * Changes the places of two neighbors. Only one of them moves, the smaller one, so that what others write in the other one at the same
 * time stays where they write it.
 */
function swap(first: Node, second: Node, position: number): Replacement[] {
  const middle = position + first.nodeSize;
  const end = middle + second.nodeSize;
  const at = (place: number, node: Node): Replacement => ({ from: place, to: place, slice: sliceOf(node) });
  return first.nodeSize < second.nodeSize
    ? [{ from: position, to: middle, slice: Slice.empty }, at(end, first)]
    : [at(position, second), { from: middle, to: end, slice: Slice.empty }];
}

/** Makes headers of the cells of the first row, and of those of the second row none, as they may have been before. */
function withHeadings(tr: Transaction, start: number): Transaction {
  const table = tr.doc.resolve(start).parent;
  for (const { node, position, index } of rowsOf(table, start).slice(0, 2)) {
    const type = nodeType(index === 0 ? "tableHeader" : "tableCell");
    for (const [column, cell] of node.children.entries()) {
      if (cell.type !== type) tr.setNodeMarkup(startOfCell(node, position, column), type, cell.attrs);
    }
  }
  return tr;
}

/** How far the caret is behind the beginning of its cell. */
function offsetInCell({ selection: { $from } }: EditorState): number {
  for (let depth = $from.depth; depth > 0; depth--) {
    if (/^table(?:Cell|Header)$/.test($from.node(depth).type.name)) return $from.pos - $from.before(depth);
  }
  return 2;
}

function withCaret(tr: Transaction, start: number, row: number, column: number, offset = 2): Transaction {
  const cell = cellAt(tr, start, row, column);
  return cell === null ? tr : tr.setSelection(TextSelection.near(tr.doc.resolve(cell + offset)));
}

/** Selects the text of a cell, as Tab does. */
function withSelectedCell(tr: Transaction, start: number, row: number, column: number): Transaction {
  const cell = cellAt(tr, start, row, column);
  if (cell === null) return tr;
  const { nodeAfter } = tr.doc.resolve(cell);
  return tr.setSelection(
    TextSelection.between(tr.doc.resolve(cell + 1), tr.doc.resolve(cell + (nodeAfter?.nodeSize ?? 2) - 1)),
  );
}
