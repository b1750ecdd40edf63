import { ATTRIBUTES } from "../attributes.ts";
import { checkNodes } from "../limits.ts";
import type { AttrValue, NodeJSON } from "../types.ts";
import { cleanAttrs, rebuild, reportUnknownAttrs } from "./attributes.ts";
import { normalizeInline } from "./inline.ts";
import { NOTHING, textNode } from "./nodes.ts";
import type { Report } from "./report.ts";

// Fills the place of a cell that a row lacks.
const EMPTY: NodeJSON = { type: "tableCell" };
const ALIGN = ATTRIBUTES.tableCell?.align;
const rowsOf = ({ content = NOTHING }: NodeJSON): NodeJSON[] => content;

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
  const head = rowsOf(rows[0] ?? table);
  const isWhole = (row: NodeJSON, index: number): boolean =>
    row.attrs === undefined &&
    row.content?.length === head.length &&
    row.content.every((cell, at) => cleanAttrs(cell.type, cell.attrs) === cell.attrs && fits(cell, head[at], index));
  return head.length > 0 && table.attrs === undefined && rows.every(isWhole);
}

function alignOf(cell: NodeJSON = EMPTY): AttrValue {
  const align = cell.attrs?.align;
  return align !== undefined && ALIGN?.test(align) ? align : null;
}

/** False for a cell that differs from what its place wants in more than attributes that were not given. */
export function fits(cell: NodeJSON, head: NodeJSON | undefined, row: number): boolean {
  const { type, attrs, content } = cell;
  return (
    type === (row === 0 ? "tableHeader" : "tableCell") &&
    span(attrs?.colspan) * span(attrs?.rowspan) === 1 &&
    !Array.isArray(attrs?.colwidth) &&
    alignOf(cell) === alignOf(head) &&
    content?.length === 1 &&
    content[0]?.type === "paragraph"
  );
}

function plainTable(table: NodeJSON, report: Report): NodeJSON | null {
  const rows = grid(table, report);
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  checkNodes(rows.length * columns, report.limits);
  const [head] = rows;
  if (columns === 0 || head === undefined) {
    report.changed("a table without cells was left out");
    return null;
  }
  const isWhole = (row: NodeJSON[], index: number): boolean =>
    row.length === columns && row.every((cell, at) => fits(cell, head[at], index));
  if (!rows.every(isWhole))
    report.changed("a table was made plain: a paragraph a cell, no spans and widths, headers on top");
  reportUnknownAttrs(table, report);
  for (const row of rowsOf(table)) {
    reportUnknownAttrs(row, report);
    for (const cell of rowsOf(row)) reportUnknownAttrs(cell, report);
  }
  const content = rows.map((row, index) => ({
    type: "tableRow",
    content: Array.from({ length: columns }, (_, column) => ({
      type: index === 0 ? "tableHeader" : "tableCell",
      attrs: { colspan: 1, rowspan: 1, colwidth: null, align: alignOf(head[column]) },
      content: [{ type: "paragraph", content: flatten(rowsOf(row[column] ?? EMPTY)) }],
    })),
  }));
  return { type: "table", content };
}

const span = (value: unknown): number =>
  typeof value === "number" && value >= 1 ? Math.min(Math.floor(value), 1000) : 1;

// A cell that spans several places keeps the first of them; the others are empty.
function grid(table: NodeJSON, report: Report): NodeJSON[][] {
  const rows: NodeJSON[][] = [];
  const covered = new Map<number, number>();
  let size = 0;
  for (const row of rowsOf(table)) {
    const cells: NodeJSON[] = [];
    for (const cell of rowsOf(row)) {
      skipCovered(cells, covered);
      const width = span(cell.attrs?.colspan);
      const height = span(cell.attrs?.rowspan);
      for (let offset = 0; offset < width; offset++) {
        if (height > 1) covered.set(cells.length, height);
        cells.push(offset === 0 ? cell : EMPTY);
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
  }
  return rows;
}

// Places that a cell above still covers. A cover made in this row counts its own row too.
function skipCovered(cells: NodeJSON[], covered: ReadonlyMap<number, number>): void {
  while (covered.has(cells.length)) cells.push(EMPTY);
}

/** The text of blocks as one line: hard breaks between blocks, code as code. */
function flatten(blocks: NodeJSON[]): NodeJSON[] {
  if (blocks.length === 1 && blocks[0]?.type === "paragraph") return rowsOf(blocks[0]);
  const out: NodeJSON[] = [];
  const walk = (node: NodeJSON): void => {
    if (node.type === "paragraph" || node.type === "heading") {
      if (out.length > 0) out.push({ type: "hardBreak" });
      for (const part of rowsOf(node)) out.push(part);
    } else if (node.type === "codeBlock" || node.type === "rawBlock") {
      if (out.length > 0) out.push({ type: "hardBreak" });
      for (const part of codeLines(node)) out.push(part);
    } else for (const child of rowsOf(node)) walk(child);
  };
  for (const block of blocks) walk(block);
  return out;
}

function codeLines(block: NodeJSON): NodeJSON[] {
  const code = rowsOf(block).map((node) => node.text ?? "");
  const text = block.type === "rawBlock" ? String(block.attrs?.source) : code.join("");
  return text
    .split("\n")
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: "hardBreak" }] : []),
      ...(line === "" ? [] : [textNode(line, [{ type: "code" }])]),
    ]);
}
