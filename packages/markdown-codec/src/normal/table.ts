import { CodecError } from "../error.ts";
import type { AttrValue, NodeJSON } from "../types.ts";
import { cleanAttrs } from "./attributes.ts";
import { textNode } from "./inline.ts";
import type { Report } from "./report.ts";

interface Cell {
  readonly align: AttrValue;
  readonly content: readonly NodeJSON[];
}

const EMPTY: Cell = { align: null, content: [] };

/**
 * A table in normal form: a rectangle, the first row of headers, one paragraph a cell, the alignment of a column from
 * its first cell. Null where the table has no cell. The inline content is for the caller to normalise.
 */
export function normalizeTable(table: NodeJSON, report: Report): NodeJSON | null {
  if (isNormal(table)) return table;
  const rows = grid(table, report);
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) {
    report.changed("a table without cells was left out");
    return null;
  }
  checkSize(rows.length * columns, report);
  const aligns = Array.from({ length: columns }, (_, column) => rows[0]?.[column]?.align ?? null);
  reportShape(table, rows, columns, report);
  const content = rows.map((row, index) => ({
    type: "tableRow",
    content: aligns.map((align, column) => cellNode(index === 0, align, row[column] ?? EMPTY)),
  }));
  return { type: "table", content };
}

function checkSize(cells: number, report: Report): void {
  if (cells <= report.limits.nodes) return;
  throw new CodecError("LIMIT", `A table has more than ${report.limits.nodes} cells.`, { path: report.here() });
}

function cellNode(isHeader: boolean, align: AttrValue, cell: Cell): NodeJSON {
  const paragraph = cell.content.length > 0 ? { type: "paragraph", content: cell.content } : { type: "paragraph" };
  return {
    type: isHeader ? "tableHeader" : "tableCell",
    attrs: { colspan: 1, rowspan: 1, colwidth: null, align },
    content: [paragraph],
  };
}

function isNormal(table: NodeJSON): boolean {
  const rows = table.content ?? [];
  const first = rows[0]?.content ?? [];
  if (first.length === 0 || table.attrs !== undefined) return false;
  return rows.every(
    (row, index) =>
      row.attrs === undefined &&
      row.content?.length === first.length &&
      row.content.every((cell, column) => isNormalCell(cell, index === 0, first[column])),
  );
}

function isNormalCell(cell: NodeJSON, isHeader: boolean, head: NodeJSON | undefined): boolean {
  const { type, attrs, content } = cell;
  return (
    type === (isHeader ? "tableHeader" : "tableCell") &&
    cleanAttrs(type, attrs) === attrs &&
    attrs?.align === head?.attrs?.align &&
    content?.length === 1 &&
    content[0]?.type === "paragraph"
  );
}

const span = (value: unknown): number =>
  typeof value === "number" && value >= 1 ? Math.min(Math.floor(value), 1000) : 1;

// A cell that spans several places keeps the first of them; the others are empty.
function grid(table: NodeJSON, report: Report): Cell[][] {
  const rows: Cell[][] = [];
  const covered = new Map<number, number>();
  let size = 0;
  for (const row of table.content ?? []) {
    const cells: Cell[] = [];
    for (const cell of row.content ?? []) {
      skipCovered(cells, covered);
      const width = span(cell.attrs?.colspan);
      const height = span(cell.attrs?.rowspan);
      for (let offset = 0; offset < width; offset++) {
        if (height > 1) covered.set(cells.length, height);
        cells.push(offset === 0 ? { align: alignOf(cell), content: flatten(cell.content ?? []) } : EMPTY);
      }
      size += width;
      checkSize(size, report);
    }
    skipCovered(cells, covered);
    for (const [column, left] of covered) {
      if (left > 1) covered.set(column, left - 1);
      else covered.delete(column);
    }
    rows.push(cells);
  }
  return rows.filter((row) => row.length > 0);
}

// Places that a cell above still covers. A cover made in this row counts its own row too.
function skipCovered(cells: Cell[], covered: ReadonlyMap<number, number>): void {
  while (covered.has(cells.length)) cells.push(EMPTY);
}

function alignOf(cell: NodeJSON): AttrValue {
  return cleanAttrs(cell.type, cell.attrs)?.align ?? null;
}

/** The text of blocks as one line: hard breaks between blocks, code as code. */
function flatten(blocks: readonly NodeJSON[]): readonly NodeJSON[] {
  if (blocks.length === 1 && blocks[0]?.type === "paragraph") return blocks[0].content ?? [];
  const out: NodeJSON[] = [];
  const walk = (node: NodeJSON): void => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "codeBlock") {
      if (out.length > 0) out.push({ type: "hardBreak" });
      for (const part of node.type === "codeBlock" ? codeLines(node) : (node.content ?? [])) out.push(part);
    } else for (const child of node.content ?? []) walk(child);
  };
  for (const block of blocks) walk(block);
  return out;
}

function codeLines(block: NodeJSON): NodeJSON[] {
  const text = (block.content ?? []).map((node) => node.text ?? "").join("");
  return text
    .split("\n")
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: "hardBreak" }] : []),
      ...(line === "" ? [] : [textNode(line, [{ type: "code" }])]),
    ]);
}

// What was said by the shape and is not any more, in one sentence.
function reportShape(table: NodeJSON, rows: readonly Cell[][], columns: number, report: Report): void {
  const given = table.content ?? [];
  const cells = given.flatMap((row) => row.content ?? []);
  const first = rows[0] ?? [];
  const has = (test: (cell: NodeJSON) => boolean): boolean => cells.some(test);
  const hasOther = (test: (cell: NodeJSON, row: number, column: number) => boolean): boolean =>
    given.some((row, index) => (row.content ?? []).some((cell, column) => test(cell, index, column)));
  const lost = [
    has(({ attrs }) => span(attrs?.colspan) > 1 || span(attrs?.rowspan) > 1) && "cells that span several places",
    has(({ content }) => content?.length !== 1 || content[0]?.type !== "paragraph") && "blocks in a cell",
    (rows.length !== given.length || rows.some((row) => row.length !== columns)) && "short rows",
    hasOther((cell, row) => (cell.type === "tableHeader") !== (row === 0)) && "headers beside the first row",
    has(({ attrs }) => Array.isArray(attrs?.colwidth)) && "widths of columns",
    hasOther((cell, _, column) => alignOf(cell) !== (first[column]?.align ?? null)) && "alignments of single cells",
  ].filter((part) => part !== false);
  if (lost.length > 0) report.changed(`a table was made plain: ${lost.join(", ")}`);
}
