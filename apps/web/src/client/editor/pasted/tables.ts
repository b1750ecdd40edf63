import { all, beside, blocks, create, isEmpty, rename, unwrap } from "./elements.ts";
import { styleOf } from "./styles.ts";

const mostColumns = 100;
type Cell = { readonly element: HTMLElement; readonly align: string | null };

/** Makes tables as Markdown has them: a row of headings, one line of text in each cell, no cell over several others. */
export function readTables(root: Element): void {
  // The innermost first: one in a cell becomes lines of that cell.
  for (const table of all(root, "table").reverse()) {
    const rows = all(table, "tr").filter((row) => row.closest("table") === table);
    if (rows.every(({ children }) => children.length < 2) && rows.length < 2) unwrapTable(table);
    else readTable(table, rows);
  }
}

/** A table of one cell, as mails and pages have it, is there for its frame only. */
function unwrapTable(table: HTMLElement): void {
  for (const cell of all(table, "td, th")) if (cell.closest("table") === table) table.before(rename(cell, "div"));
  table.remove();
}

function readTable(table: HTMLElement, rows: readonly HTMLElement[]): void {
  for (const caption of all(table, "caption")) {
    table.before(rename(caption, "p"));
  }
  const grid = spread(rows);
  const columns = grid.reduce((most, { length }) => Math.max(most, length), 0);
  const aligns = Array.from({ length: columns }, (_, column) => alignOf(grid, column));
  const body = create(table, "tbody");
  for (const [index, cells] of grid.entries()) {
    const row = create(table, "tr");
    for (const [column, align] of aligns.entries()) row.append(cellOf(table, cells[column], index === 0, align));
    body.append(row);
  }
  table.replaceChildren(body);
}

/** Returns the cells of each row, with empty ones where one reached over several places. */
function spread(rows: readonly HTMLElement[]): (Cell | undefined)[][] {
  const grid: (Cell | undefined)[][] = rows.map(() => []);
  const taken = rows.map(() => new Set<number>());
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const cell of [...row.children].filter(isCell)) {
      while (taken[index]?.has(column) === true) column += 1;
      const width = spanOf(cell, "colspan");
      const height = spanOf(cell, "rowspan");
      const row = grid[index];
      if (row === undefined || column + width > mostColumns) break;
      row[column] = { element: cell, align: alignOfCell(cell) };
      for (let below = index; below < Math.min(index + height, rows.length); below++) {
        for (let beside = column; beside < column + width; beside++) taken[below]?.add(beside);
      }
      column += width;
      row.length = Math.max(row.length, column);
    }
  }
  return grid;
}

const isCell = (element: Element): element is HTMLElement => /^T[DH]$/.test(element.tagName);

const spanOf = (cell: Element, name: string): number =>
  Math.min(Math.max(Number.parseInt(cell.getAttribute(name) ?? "1", 10) || 1, 1), mostColumns);

function alignOfCell(cell: HTMLElement): string | null {
  const inside = cell.querySelector<HTMLElement>("p[align], p[data-style*='text-align']");
  const found = [cell, inside].map(
    (element) => element && (styleOf(element).get("text-align") ?? element.getAttribute("align")?.toLowerCase()),
  );
  return found.find((align) => align === "right" || align === "center") ?? null;
}

/** Returns how the cells below the heading of a column are aligned, if all are so. */
function alignOf(grid: readonly (readonly (Cell | undefined)[])[], column: number): string | null {
  const [first, ...rows] = grid;
  const cells = (rows.length === 0 ? [first] : rows).flatMap((row) => row?.[column] ?? []);
  const align = cells[0]?.align ?? null;
  return cells.every((cell) => cell.align === align) ? align : null;
}

function cellOf(table: Element, cell: Cell | undefined, isHeading: boolean, align: string | null): HTMLElement {
  const element = create(table, isHeading ? "th" : "td");
  if (align !== null) element.setAttribute("align", align);
  if (cell === undefined || isEmpty(cell.element)) return element;
  while (cell.element.firstChild !== null) element.append(cell.element.firstChild);
  flatten(element);
  return element;
}

/** Puts a break between the blocks of a cell. */
function flatten(cell: HTMLElement): void {
  const parts = all(cell, `${blocks}, li, tr, tbody, td, th`);
  const breaks: HTMLElement[] = [];
  for (const part of parts) {
    for (const place of ["before", "after"] as const) {
      const line = create(cell, "br");
      part[place](line);
      breaks.push(line);
    }
  }
  for (const part of parts) unwrap(part);
  for (const line of breaks) {
    const before = beside(line, "previousSibling");
    const behind = beside(line, "nextSibling");
    if (before === null || behind === null || before.nodeName === "BR") line.remove();
  }
}
