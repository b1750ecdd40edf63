import type { AlignType, Nodes, Parents, PhrasingContent, RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";
import { infoReading, linkMark, paragraphReading, type Reading, type Run, runReadings } from "./reading.ts";

/** remark with GFM, except that HTML is text (ours has none) and one tilde is not strike (ours is subscript). */
const reader = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).use(withoutHtml);

function withoutHtml(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ["htmlFlow", "htmlText"] } }];
}

/** The document as remark reads it. */
export function mdastReading(markdown: string): Reading {
  return ["doc", blocks(reader.parse(markdown).children, markdown)];
}

/**
 * True where remark takes a numbered list for a paragraph: micromark lets only a list from 1 follow indented code,
 * where CommonMark lets any. All that follows in such a list is read differently.
 */
export function mistakesList(markdown: string): boolean {
  const visit = (node: Nodes): boolean => {
    if (node.type === "paragraph") {
      const start = node.position?.start.offset ?? 0;
      return /^\d{1,9}[.)][ \t]/.test(markdown.slice(start, start + 12));
    }
    return "children" in node && node.children.some(visit);
  };
  return visit(reader.parse(markdown));
}

/** The text of the document as remark reads it, a line for each text, code and alternative text. */
export function mdastText(markdown: string): string {
  const lines: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === "text" || node.type === "inlineCode") lines.push(node.value);
    else if (node.type === "code") lines.push(`\n${node.value}\n`);
    else if (node.type === "image" || node.type === "imageReference") lines.push(node.alt ?? "");
    else if (node.type === "break") lines.push("\n");
    else if ("children" in node) {
      for (const child of node.children) visit(child);
      if (!isPhrasing(node)) lines.push("\n");
    }
  };
  visit(reader.parse(markdown));
  return lines.join("");
}

function isPhrasing(node: Parents): boolean {
  return ["emphasis", "strong", "delete", "link", "linkReference"].includes(node.type);
}

function blocks(nodes: RootContent[], markdown: string): Reading[] {
  return nodes.flatMap((node) => block(node, markdown));
}

function block(node: RootContent, markdown: string): Reading[] {
  switch (node.type) {
    case "paragraph":
      return [paragraphReading(inlines(node.children, markdown))];
    case "heading":
      return [["heading", node.depth, inlines(node.children, markdown)]];
    case "blockquote":
      return [["quote", blocks(node.children, markdown)]];
    case "list": {
      const items = node.children.map(
        (item): Reading => ["item", item.checked ?? null, blocks(item.children, markdown)],
      );
      return [["list", node.ordered ? (node.start ?? 1) : null, items]];
    }
    case "code":
      return [["code", infoReading(`${node.lang ?? ""} ${node.meta ?? ""}`), node.value]];
    case "thematicBreak":
      return [["rule"]];
    case "table": {
      const rows = node.children.map(
        (row): Reading => ["row", row.children.map((cell): Reading => ["cell", inlines(cell.children, markdown)])],
      );
      return [["table", alignments(node.align ?? []), rows]];
    }
    case "footnoteDefinition":
      return [["footnote", node.label ?? node.identifier, blocks(node.children, markdown)]];
    case "definition":
      return [];
    default:
      return [["unknown", node.type]];
  }
}

/** The alignments as one word each. */
export function alignments(align: (AlignType | undefined)[]): string {
  return align.map((each) => each ?? "none").join(" ");
}

function inlines(nodes: PhrasingContent[], markdown: string): Reading[] {
  const runs: Run[] = [];
  const visit = (node: PhrasingContent, marks: string[]): void => {
    const within = (children: PhrasingContent[], mark: string[]): void => {
      for (const child of children) visit(child, [...marks, ...mark]);
    };
    switch (node.type) {
      case "text":
        runs.push({ marks, atom: null, text: node.value });
        break;
      case "inlineCode":
        runs.push({ marks: [...marks, "code"], atom: null, text: node.value });
        break;
      case "strong":
        within(node.children, ["bold"]);
        break;
      case "emphasis":
        within(node.children, ["italic"]);
        break;
      case "delete":
        within(node.children, ["strike"]);
        break;
      case "link":
        within(node.children, isWritten(node, markdown) ? [linkMark(node.url, node.title ?? null)] : []);
        break;
      case "image":
        runs.push({ marks, atom: ["image", node.url, node.alt ?? "", node.title ?? null], text: "" });
        break;
      case "break":
        runs.push({ marks, atom: ["break"], text: "" });
        break;
      case "footnoteReference":
        runs.push({ marks, atom: ["reference", node.label ?? node.identifier], text: "" });
        break;
      default:
        runs.push({ marks, atom: ["unknown", node.type], text: "" });
    }
  };
  for (const node of nodes) visit(node, []);
  return runReadings(runs);
}

/** False for a bare address that GFM turns into a link by itself: there is no link in the document we wrote. */
function isWritten(node: PhrasingContent, markdown: string): boolean {
  const start = node.position?.start.offset;
  return start !== undefined && (markdown[start] === "[" || markdown[start] === "<");
}
