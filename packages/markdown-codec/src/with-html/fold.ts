import { CodecError } from "../error.ts";
import { containerLimit } from "../limits.ts";
import type { DocJSON, Limits, NodeJSON } from "../types.ts";
import { canBeTag, isImageLine } from "./place.ts";
import { isRichTable } from "./table.ts";
import { ALIGNED_END, cellEnd, cellTag, readAligned, readCellTag, readImageTag } from "./tags.ts";

/** The HTML of a document as nodes: what `unfold` writes, and nothing else. @throws CodecError `NESTING` */
export function fold(doc: DocJSON, limits: Limits): DocJSON {
  const content = foldNodes(doc, 0, limits);
  return content === doc.content ? doc : { ...doc, content };
}

// The levels that a table, its row and its cell are.
const LEVELS_OF_A_CELL = 3;

/** The lines of a table among its neighbours: the first tags, those between cells, and the last ones. */
interface Frame {
  readonly marks: number[];
}

function sourceOf({ type, attrs }: NodeJSON): string {
  return type === "rawBlock" && attrs?.kind === "html" && attrs.tight === false ? String(attrs.source) : "";
}

const FIRST = /^<table>\n<tr>\n<t[dh][^\n]*>$/;
const BETWEEN = /^<\/t[dh]>\n(?:<\/tr>\n<tr>\n)?<t[dh][^\n]*>$/;
const LAST = /^<\/t[dh]>\n<\/tr>\n<\/table>$/;

// The tables among these nodes: for the first line of each the places of all its lines.
function findTables(nodes: readonly NodeJSON[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  const open: Frame[] = [];
  nodes.forEach((node, index) => {
    const source = sourceOf(node);
    if (source === "") return;
    if (FIRST.test(source)) open.push({ marks: [index] });
    else if (BETWEEN.test(source)) open.at(-1)?.marks.push(index);
    else if (LAST.test(source)) {
      const marks = open.pop()?.marks;
      if (marks) found.set(marks[0] ?? 0, [...marks, index]);
    }
  });
  return found;
}

function foldNodes(parent: NodeJSON, depth: number, limits: Limits): NodeJSON[] {
  const nodes = parent.content ?? [];
  requireDepth(depth, limits);
  // A paragraph that would be written as the tag alone stays as it is: its line says more than that.
  const inner = nodes.map((node, index) =>
    canBeTag(parent, index) && isImageLine(node) ? node : foldNode(node, depth, limits),
  );
  const tables = inner.some((node) => LAST.test(sourceOf(node))) ? findTables(inner) : undefined;
  const out = foldRange(inner, 0, inner.length, { tables, depth, limits });
  return out.length === nodes.length && out.every((node, index) => node === nodes[index]) ? nodes : out;
}

interface Place {
  readonly tables: ReadonlyMap<number, readonly number[]> | undefined;
  readonly depth: number;
  readonly limits: Limits;
}

function requireDepth(depth: number, limits: Limits): void {
  if (depth > containerLimit(limits)) {
    throw new CodecError("NESTING", `Tables are nested deeper than ${limits.depth} levels of lists.`);
  }
}

// The nodes from `start` to `end`, whose own children are folded already.
function foldRange(nodes: readonly NodeJSON[], start: number, end: number, place: Place): NodeJSON[] {
  const { tables, depth, limits } = place;
  requireDepth(depth, limits);
  const out: NodeJSON[] = [];
  for (let index = start; index < end; index++) {
    const node = nodes[index];
    if (node === undefined) continue;
    const marks = tables?.get(index);
    const aligned = alignedBlock(node, nodes[index + 1], index + 2 < end ? nodes[index + 2] : undefined);
    if (aligned) {
      out.push(aligned);
      index += 2;
    } else if (marks === undefined) out.push(node);
    else {
      const inside = { ...place, depth: depth + LEVELS_OF_A_CELL };
      const parts = marks.slice(1).map((mark, at) => foldRange(nodes, (marks[at] ?? 0) + 1, mark, inside));
      for (const part of tableOf(
        marks.map((mark) => nodes[mark]),
        parts,
      ))
        out.push(part);
      index = marks.at(-1) ?? index;
    }
  }
  return out;
}

// The table that these lines and the blocks between them make; where they make none, all of them.
function tableOf(marks: readonly (NodeJSON | undefined)[], parts: readonly NodeJSON[][]): NodeJSON[] {
  const lines = marks.filter((mark) => mark !== undefined);
  const table = readTable(lines.map(sourceOf), parts);
  return table ? [table] : lines.flatMap((line, index) => [line, ...(parts[index] ?? [])]);
}

function readTable(sources: readonly string[], parts: readonly NodeJSON[][]): NodeJSON | undefined {
  const rows: NodeJSON[] = [];
  let before: NodeJSON | undefined;
  for (const [index, content] of parts.entries()) {
    const source = sources[index] ?? "";
    const cell = readCellTag(source);
    if (cell === undefined) return undefined;
    const isNewRow = source.includes("<tr>");
    const start = before === undefined ? "<table>\n<tr>" : cellEnd(before) + (isNewRow ? "\n</tr>\n<tr>" : "");
    if (source !== `${start}\n${cellTag(cell)}`) return undefined;
    if (isNewRow) rows.push({ type: "tableRow", content: [] });
    rows.at(-1)?.content?.push({ ...cell, content });
    before = cell;
  }
  const table = { type: "table", content: rows };
  const isClosed = before !== undefined && sources.at(-1) === `${cellEnd(before)}\n</tr>\n</table>`;
  return isClosed && isRichTable(table) ? table : undefined;
}

function alignedBlock(start: NodeJSON, block?: NodeJSON, end?: NodeJSON): NodeJSON | undefined {
  const side = readAligned(sourceOf(start));
  if (side === undefined || block === undefined || end === undefined || sourceOf(end) !== ALIGNED_END) return undefined;
  if (block.type !== "paragraph" && block.type !== "heading") return undefined;
  return { ...block, attrs: { ...block.attrs, textAlign: side } };
}

function foldNode(node: NodeJSON, depth: number, limits: Limits): NodeJSON {
  const { type, attrs, marks, content } = node;
  if (type === "rawInline" && attrs?.kind === "html") {
    const image = readImageTag(String(attrs.source));
    if (image) return marks === undefined ? { type: "image", attrs: image } : { type: "image", attrs: image, marks };
  }
  const image = sourceOf(node).startsWith("<img") ? readImageTag(sourceOf(node)) : undefined;
  if (image) return { type: "paragraph", content: [{ type: "image", attrs: image }] };
  if (content === undefined) return node;
  const folded = foldNodes(node, depth + 1, limits);
  return folded === content ? node : { ...node, content: folded };
}
