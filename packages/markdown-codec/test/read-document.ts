import { type DocJSON, type NodeJSON, serializeMarkdown } from "../src/index.ts";
import { mdastBlocks } from "./read-mdast.ts";
import { infoReading, linkMark, paragraphReading, type Reading, type Run, runReadings } from "./reading.ts";

/** Our document, in the terms in which it can be compared with another reader's. */
export function documentReading(doc: DocJSON): Reading {
  return ["doc", withoutEmptyOnly(blocks(doc.content))];
}

function blocks(nodes: readonly NodeJSON[] = []): Reading[] {
  return nodes.flatMap((node) => {
    if (node.type === "rawBlock") return raw(node);
    return UNKNOWN_TO_GFM.has(node.type)
      ? mdastBlocks(serializeMarkdown({ type: "doc", content: [node] }))
      : [block(node)];
  });
}

/** Nodes that the other reader does not have: it reads their Markdown by its own rules. */
const UNKNOWN_TO_GFM = new Set(["callout", "details", "blockMath"]);

function block(node: NodeJSON): Reading {
  switch (node.type) {
    case "paragraph":
      return paragraphReading(inlines(node.content));
    case "heading":
      return ["heading", Number(node.attrs?.level), inlines(node.content)];
    case "blockquote":
      return ["quote", withoutEmptyOnly(blocks(node.content))];
    case "bulletList":
    case "taskList":
      return ["list", null, (node.content ?? []).map(item)];
    case "orderedList":
      return ["list", Number(node.attrs?.start ?? 1), (node.content ?? []).map(item)];
    case "codeBlock":
      return ["code", infoReading(String(node.attrs?.language ?? "")), node.content?.[0]?.text ?? ""];
    case "horizontalRule":
      return ["rule"];
    case "table":
      return tableReading(node);
    case "footnoteDefinition":
      return ["footnote", String(node.attrs?.label), withoutEmptyOnly(blocks(node.content))];
    default:
      return ["unknown", node.type];
  }
}

/** Nodes kept as written: the other reader reads them by its own rules, and has no block for a link definition. */
function raw({ attrs }: NodeJSON): Reading[] {
  const source = String(attrs?.source);
  if (attrs?.kind === "directive" || attrs?.kind === "definitionList" || attrs?.kind === "table") {
    return mdastBlocks(source);
  }
  return attrs?.kind === "linkDefinition" ? [] : [["raw", source]];
}

/** An item that starts with a block is written without the empty paragraph that the schema wants before it. */
function item(node: NodeJSON): Reading {
  const content = node.content ?? [];
  const [first, second] = content;
  const shown =
    first?.type === "paragraph" && !first.content && second?.type !== "paragraph" ? content.slice(1) : content;
  const checked = node.type === "taskItem" ? Boolean(node.attrs?.checked) : null;
  return ["item", checked, blocks(shown)];
}

/** A document, quote or footnote of one empty paragraph is written empty. */
function withoutEmptyOnly(readings: Reading[]): Reading[] {
  const only = readings.length === 1 ? readings[0] : undefined;
  return only?.[0] === "paragraph" && Array.isArray(only[1]) && only[1].length === 0 ? [] : readings;
}

function tableReading(node: NodeJSON): Reading {
  const rows = node.content ?? [];
  const align = (rows[0]?.content ?? []).map((cell) => String(cell.attrs?.align ?? "none")).join(" ");
  const cells = (row: NodeJSON): Reading[] =>
    (row.content ?? []).map((cell): Reading => ["cell", inlines(cell.content?.[0]?.content)]);
  return ["table", align, rows.map((row): Reading => ["row", cells(row)])];
}

function inlines(nodes: readonly NodeJSON[] = []): Reading[] {
  return runReadings(nodes.map(inline));
}

function inline(node: NodeJSON): Run {
  const attrs = node.attrs ?? {};
  const title = attrs.title === null || attrs.title === undefined ? null : String(attrs.title);
  const marks = (node.marks ?? []).map((mark) =>
    mark.type === "link" ? linkMark(String(mark.attrs?.href), nullable(mark.attrs?.title)) : mark.type,
  );
  switch (node.type) {
    case "text":
      return { marks, atom: null, text: node.text ?? "" };
    case "image":
      return { marks, atom: ["image", String(attrs.src), String(attrs.alt ?? ""), title], text: "" };
    case "hardBreak":
      return { marks, atom: ["break"], text: "" };
    case "rawInline":
      if (attrs.kind === "directive" || attrs.kind === "blockId")
        return { marks, atom: null, text: String(attrs.source) };
      return { marks, atom: ["raw", String(attrs.source)], text: "" };
    case "wikiLink":
      return { marks, atom: null, text: String(attrs.source) };
    case "mention":
      return { marks: [...marks, linkMark(`kb://users/${attrs.id}`, null)], atom: null, text: `@${attrs.label}` };
    case "inlineMath":
      return { marks, atom: null, text: attrs.display ? `$$${attrs.latex}$$` : `$${attrs.latex}$` };
    case "footnoteReference":
      return { marks, atom: ["reference", String(attrs.label)], text: "" };
    default:
      return { marks, atom: ["unknown", node.type], text: "" };
  }
}

function nullable(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
