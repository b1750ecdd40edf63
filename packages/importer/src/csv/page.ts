import { type NodeJSON, serializeMarkdown } from "markdown-codec";
import { parseCsv } from "./parse.ts";

/** Cells of a table: a document has at most 200,000 nodes, of which a cell takes three. */
export const maxCells = 50_000;

/** Returns a database as a table; the names of its first column link to the pages of its rows, where there are some. */
export function csvPage(
  source: string,
  pageOfRow: (name: string) => string | undefined,
): { markdown: string; omitted: number } {
  const { rows, omitted } = parseCsv(source, maxCells);
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return { markdown: "", omitted };
  const content = rows.map((row, index) => rowOf(row, width, index === 0 ? undefined : pageOfRow(row[0] ?? "")));
  const [head, ...body] = content;
  const header = {
    ...head,
    type: "tableRow",
    content: head?.content?.map((cell) => ({ ...cell, type: "tableHeader" })) ?? [],
  };
  return {
    markdown: serializeMarkdown({ type: "doc", content: [{ type: "table", content: [header, ...body] }] }),
    omitted,
  };
}

function rowOf(row: readonly string[], width: number, href: string | undefined): NodeJSON {
  const cells = Array.from({ length: width }, (_, index) => cellOf(row[index] ?? "", index === 0 ? href : undefined));
  return { type: "tableRow", content: cells };
}

function cellOf(text: string, href: string | undefined): NodeJSON {
  const marks = href === undefined ? {} : { marks: [{ type: "link", attrs: { href, title: null } }] };
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const content = lines
    .filter((line) => line !== "")
    .flatMap((line, index): NodeJSON[] => [
      ...(index === 0 ? [] : [{ type: "hardBreak" }]),
      { type: "text", text: line, ...marks },
    ]);
  return {
    type: "tableCell",
    attrs: { colspan: 1, rowspan: 1, colwidth: null, align: null },
    content: [{ type: "paragraph", ...(content.length === 0 ? {} : { content }) }],
  };
}
