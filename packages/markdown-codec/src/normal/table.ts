import { below } from "../depth.ts";
import { checkNodes } from "../limits.ts";
import type { AttrValue, NodeJSON } from "../types.ts";
import { cleanAttrs, rebuild } from "./attributes.ts";
import { NOTHING, normalizeInline, textNode } from "./inline.ts";
import type { Report } from "./report.ts";

interface Cell {
  readonly align: AttrValue;
  readonly content: readonly NodeJSON[];
}

const EMPTY: Cell = { align: null, content: NOTHING };
const rowsOf = ({ content = NOTHING }: NodeJSON): readonly NodeJSON[] => content;

/**
 * A table in normal form: a rectangle, the first row of headers, one paragraph a cell, the alignment of a column from
 * its first cell. Null where the table has no cell.
 */
export function normalizeTable(given: NodeJSON, report: Report): NodeJSON | null {
  const table = isNormal(given) ? given : plainTable(given, report);
  if (table === null) return null;
  const rows = report.each(rowsOf(table), (row) => {
    const cells = report.each(rowsOf(row), (cell) => {
      report.count(1);
      const [paragraph = { type: "paragraph" }] = rowsOf(cell);
      const normal = rebuild(paragraph, normalizeInline(paragraph.content, report), report);
      return normal === paragraph ? cell : { ...cell, content: [normal] };
    });
    return cells === row.content ? row : { ...row, content: cells };
  });
  return rows === table.content ? table : { ...table, content: rows };
}

function isNormal(table: NodeJSON): boolean {
  const rows = rowsOf(table);
  const first = rowsOf(rows[0] ?? table);
  return (
    first.length > 0 &&
    table.attrs === undefined &&
    rows.every(
      (row, index) =>
        row.attrs === undefined &&
        row.content?.length === first.length &&
        row.content.every((cell, column) => isNormalCell(cell, index === 0, first[column])),
    )
  );
}

function isNormalCell({ type, attrs, content }: NodeJSON, isHeader: boolean, head: NodeJSON | undefined): boolean {
  return (
    type === (isHeader ? "tableHeader" : "tableCell") &&
    cleanAttrs(type, attrs) === attrs &&
    attrs?.align === head?.attrs?.align &&
    content?.length === 1 &&
    content[0]?.type === "paragraph"
  );
}

function plainTable(table: NodeJSON, report: Report): NodeJSON | null {
  const lost = new Set<string>();
  const rows = grid(table, lost, report);
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) {
    report.changed("a table without cells was left out");
    return null;
  }
  checkNodes(rows.length * columns, report.limits);
  if (rows.some((row) => row.length !== columns)) lost.add("short rows");
  if (lost.size > 0) report.changed(`a table was made plain: ${[...lost].join(", ")}`);
  const [head = []] = rows;
  const content = rows.map((row, index) => ({
    type: "tableRow",
    content: Array.from({ length: columns }, (_, column) => ({
      type: index === 0 ? "tableHeader" : "tableCell",
      attrs: { colspan: 1, rowspan: 1, colwidth: null, align: head[column]?.align ?? null },
      content: [{ type: "paragraph", content: row[column]?.content ?? NOTHING }],
    })),
  }));
  return { type: "table", content };
}

const span = (value: unknown): number =>
  typeof value === "number" && value >= 1 ? Math.min(Math.floor(value), 1000) : 1;

// A cell that spans several places keeps the first of them; the others are empty. What is lost by that is noted.
function grid(table: NodeJSON, lost: Set<string>, report: Report): Cell[][] {
  const rows: Cell[][] = [];
  const covered = new Map<number, number>();
  let size = 0;
  for (const row of rowsOf(table)) {
    const cells: Cell[] = [];
    for (const cell of rowsOf(row)) {
      skipCovered(cells, covered);
      const width = span(cell.attrs?.colspan);
      const height = span(cell.attrs?.rowspan);
      const plain = { align: cleanAttrs(cell.type, cell.attrs)?.align ?? null, content: flatten(rowsOf(cell)) };
      noteLosses(cell, width * height > 1, rows.length === 0 ? undefined : (rows[0]?.[cells.length] ?? EMPTY), lost);
      for (let offset = 0; offset < width; offset++) {
        if (height > 1) covered.set(cells.length, height);
        cells.push(offset === 0 ? plain : EMPTY);
      }
      size += width;
      checkNodes(size, report.limits);
    }
    skipCovered(cells, covered);
    for (const [column, left] of covered) {
      if (left > 1) covered.set(column, left - 1);
      else covered.delete(column);
    }
    if (cells.length > 0) rows.push(cells);
    else lost.add("empty rows");
  }
  return rows;
}

// Places that a cell above still covers. A cover made in this row counts its own row too.
function skipCovered(cells: Cell[], covered: ReadonlyMap<number, number>): void {
  while (covered.has(cells.length)) cells.push(EMPTY);
}

// `head` is the cell at the top of the column, and undefined for that cell itself.
function noteLosses({ type, attrs, content }: NodeJSON, spans: boolean, head: Cell | undefined, lost: Set<string>) {
  if (spans) lost.add("cells that span several places");
  if (content?.length !== 1 || content[0]?.type !== "paragraph") lost.add("blocks in a cell");
  if ((type === "tableHeader") !== (head === undefined)) lost.add("headers beside the first row");
  if (Array.isArray(attrs?.colwidth)) lost.add("widths of columns");
  if (head && (cleanAttrs(type, attrs)?.align ?? null) !== head.align) lost.add("alignments of single cells");
}

/** The text of blocks as one line: hard breaks between blocks, code as code. */
function flatten(blocks: readonly NodeJSON[]): readonly NodeJSON[] {
  if (blocks.length === 1 && blocks[0]?.type === "paragraph") return rowsOf(blocks[0]);
  const out: NodeJSON[] = [];
  const walk = (node: NodeJSON, depth: number): void => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "codeBlock") {
      if (out.length > 0) out.push({ type: "hardBreak" });
      for (const part of node.type === "codeBlock" ? codeLines(node) : rowsOf(node)) out.push(part);
    } else for (const child of rowsOf(node)) walk(child, below(depth));
  };
  for (const block of blocks) walk(block, 0);
  return out;
}

function codeLines(block: NodeJSON): NodeJSON[] {
  const text = rowsOf(block)
    .map((node) => node.text ?? "")
    .join("");
  return text
    .split("\n")
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: "hardBreak" }] : []),
      ...(line === "" ? [] : [textNode(line, [{ type: "code" }])]),
    ]);
}
