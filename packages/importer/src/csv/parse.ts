/** A table of texts, and the number of rows beyond its limit. */
export type CsvTable = { readonly rows: readonly (readonly string[])[]; readonly omitted: number };

/**
 * Reads comma-separated values as RFC 4180 describes them: cells in quotes may hold commas, quotes and line feeds. Keeps rows
 * until `maxCells` cells, and counts the others.
 */
export function parseCsv(text: string, maxCells: number): CsvTable {
  const rows: string[][] = [];
  let cells = 0;
  let omitted = 0;
  for (const row of rowsOf(text)) {
    cells += row.length;
    if (cells > maxCells) omitted += 1;
    else rows.push(row);
  }
  return { rows, omitted };
}

function* rowsOf(text: string): Generator<string[]> {
  let row: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  let mayBeQuoted = true;
  while (at < text.length) {
    const quoted = mayBeQuoted && text[at] === '"' ? closingQuote(text, at + 1) : -1;
    // A quote that nothing closes is an ordinary character, and so are all after it.
    if (text[at] === '"' && quoted === -1) mayBeQuoted = false;
    const end = endOfCell(text, quoted === -1 ? at : quoted + 1);
    row.push(quoted === -1 ? text.slice(at, end) : text.slice(at + 1, quoted).replaceAll('""', '"'));
    const separator = text[end];
    at = end + (text.startsWith("\r\n", end) ? 2 : 1);
    if (separator === "," && at < text.length) continue;
    if (separator === ",") row.push("");
    if (row.some((cell) => cell !== "")) yield row;
    row = [];
  }
}

/** Returns the place of the quote that closes a cell; two quotes are one character of it. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

function endOfCell(text: string, from: number): number {
  const separator = /[,\r\n]/g;
  separator.lastIndex = from;
  return separator.exec(text)?.index ?? text.length;
}
