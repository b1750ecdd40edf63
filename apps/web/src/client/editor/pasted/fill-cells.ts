import { ReplaceRangesStep } from "@kb/live/session";
import { closeHistory } from "prosemirror-history";
import { Fragment, type Node, type Slice } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { nodeType } from "../commands.ts";
import { schema } from "../schema.ts";
import {
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
  type TablePlace,
} from "../table-grid.ts";
import { mostCharacters, sayTooLarge } from "./too-large.ts";

/** The contents of cells, row by row. */
type Range = readonly (readonly Fragment[])[];

/**
 * Puts a range of cells into the table around the selection, from its first cell on; the table gets the rows and columns that it
 * lacks. `text` is what was pasted where it came without HTML: tabs and lines are cells and rows. Returns false where there is no
 * table, or no range, and where the selection ends outside of the table.
 */
export function fillCells(view: EditorView, slice: Slice, text = ""): boolean {
  const place = placeOf(view.state);
  if (place === null || view.state.selection.to > place.start + place.table.content.size) return false;
  const range = rangeOf(slice) ?? rangeOfText(text, mostRows * Math.max(mostColumns, place.columns));
  if (range === null) return false;
  if (range === "too large" || isTooLarge(place, range)) {
    sayTooLarge();
    return true;
  }
  const { tr } = view.state;
  tr.step(new ReplaceRangesStep(replacements(place, range)));
  const last = cellAt(tr, place.start, place.row + range.length - 1, place.column + (range.at(-1)?.length ?? 1) - 1);
  if (last !== null) {
    const end = last + (tr.doc.nodeAt(last)?.nodeSize ?? 2) - 1;
    tr.setSelection(TextSelection.near(tr.doc.resolve(end), -1));
  }
  view.dispatch(closeHistory(tr).setMeta("paste", true).scrollIntoView());
  return true;
}

/** Returns the cells of a table that was copied by itself; null for anything else, and for a part of one cell. */
function rangeOf({ content, openStart }: Slice): Range | null {
  const blocks = content.content.filter(({ isAtom, content: { size } }) => isAtom || size > 0);
  const [table] = blocks;
  if (table?.type.name !== "table" || blocks.length > 1) return null;
  const rows = table.children.filter(({ childCount }) => childCount > 0);
  const isOne = rows.length === 1 && rows[0]?.childCount === 1;
  return rows.length === 0 || (isOne && openStart > 0)
    ? null
    : rows.map(({ children }) => children.map((cell) => cell.content));
}

/** The cells of a text in the form in which spreadsheets copy it: one with tabs, line breaks or quotes in it is in quotes. */
const cells = /(?:"([^"]*(?:""[^"]*)*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/g;

/** Returns the cells of a text with tabs; null without any. */
function rangeOfText(text: string, mostCells: number): Range | "too large" | null {
  if (!text.includes("\t")) return null;
  if (text.length > mostCharacters) return "too large";
  const rows: Fragment[][] = [[]];
  let count = 0;
  for (const [, quoted, plain = "", end] of text.replace(/(?:\r?\n|\r)$/, "").matchAll(cells)) {
    count += 1;
    if (count > mostCells) return "too large";
    rows.at(-1)?.push(contentOf(quoted?.replaceAll('""', '"') ?? plain));
    if (end === "") break;
    if (end !== "\t") rows.push([]);
  }
  return rows;
}

function contentOf(text: string): Fragment {
  const parts = text
    .split(/\r?\n|\r/)
    .flatMap((line, index): Node[] => [
      ...(index > 0 ? [nodeType("hardBreak").create()] : []),
      ...(line === "" ? [] : [schema.text(line)]),
    ]);
  return Fragment.from(nodeType("paragraph").create(null, parts));
}

const widthOf = ({ column }: TablePlace, range: Range): number =>
  column + range.reduce((most, { length }) => Math.max(most, length), 0);

/** Returns whether a table would become larger than its commands can change in one step. */
function isTooLarge(place: TablePlace, range: Range): boolean {
  const { table, row, columns } = place;
  const width = widthOf(place, range);
  const isWider = width > columns;
  const isTooWide = isWider && (width > mostColumns || table.childCount > mostRows);
  return isTooWide || range.length > mostRows || row + range.length > Math.max(mostRows, table.childCount);
}

/** Returns at most one range for each row of the table, and one for the rows below it. */
function replacements(place: TablePlace, range: Range): Replacement[] {
  const { table, start, row, column, columns } = place;
  const width = Math.max(columns, widthOf(place, range));
  const cellOf = (at: number, index: number, cell: Node = emptyCell(at, alignmentOf(table, index))): Node =>
    cell.copy(range[at - row]?.[index - column] ?? cell.content);
  const cellsOf = (at: number, from: number, to: number, known?: Node): Node[] =>
    Array.from({ length: to - from }, (_, offset) =>
      cellOf(at, from + offset, known?.maybeChild(from + offset) ?? undefined),
    );
  const changed = rowsOf(table, start).flatMap(({ node, position, index: at }): Replacement[] => {
    const pasted = range[at - row]?.length ?? 0;
    const from = pasted === 0 ? node.childCount : Math.min(column, node.childCount);
    const to = Math.max(pasted === 0 ? from : column + pasted, width > columns ? width : 0);
    if (to === from) return [];
    const behind = startOfCell(node, position, Math.min(to, node.childCount));
    return [{ from: startOfCell(node, position, from), to: behind, slice: sliceOf(cellsOf(at, from, to, node)) }];
  });
  const missing = Math.max(0, row + range.length - table.childCount);
  const below = Array.from({ length: missing }, (_, offset) =>
    nodeType("tableRow").create(null, cellsOf(table.childCount + offset, 0, width)),
  );
  const end = start + table.content.size;
  return missing === 0 ? changed : [...changed, { from: end, to: end, slice: sliceOf(below) }];
}
