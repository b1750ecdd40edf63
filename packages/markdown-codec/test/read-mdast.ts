import type { AlignType, PhrasingContent, RootContent } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { infoReading, linkMark, paragraphReading, type Reading, type Run, runReadings } from "./reading.ts";

/** remark with GFM and front matter, except that one tilde is not strike (ours is subscript). */
const reader = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(remarkFrontmatter, ["yaml", "toml"]);

/** The document as remark reads it. */
export function mdastReading(markdown: string): Reading {
  return ["doc", mdastBlocks(markdown)];
}

/** The blocks of a text as remark reads it. */
export function mdastBlocks(markdown: string): Reading[] {
  return blocks(reader.parse(markdown).children, markdown);
}

function blocks(nodes: RootContent[], markdown: string): Reading[] {
  return nodes.flatMap((node) => block(node, markdown));
}

function block(node: RootContent, markdown: string): Reading[] {
  switch (node.type) {
    case "paragraph":
      return [paragraphReading(inlines(node.children))];
    case "heading":
      return [["heading", node.depth, inlines(node.children)]];
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
        (row): Reading => ["row", row.children.map((cell): Reading => ["cell", inlines(cell.children)])],
      );
      return [["table", alignments(node.align ?? []), rows]];
    }
    case "footnoteDefinition":
      return [["footnote", node.label ?? node.identifier, blocks(node.children, markdown)]];
    case "definition":
      return [];
    case "html":
      return [["raw", node.value]];
    case "yaml":
      return [["raw", ["---", ...(node.value === "" ? [] : [node.value]), "---"].join("\n")]];
    default:
      return [["unknown", node.type]];
  }
}

/** The alignments as one word each. */
export function alignments(align: (AlignType | undefined)[]): string {
  return align.map((each) => each ?? "none").join(" ");
}

function inlines(nodes: PhrasingContent[]): Reading[] {
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
        within(node.children, [linkMark(node.url, node.title ?? null)]);
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
      case "html":
        // A line break within a tag is white space.
        runs.push({ marks, atom: ["raw", node.value.replaceAll("\n", " ")], text: "" });
        break;
      default:
        runs.push({ marks, atom: ["unknown", node.type], text: "" });
    }
  };
  for (const node of nodes) visit(node, []);
  return runReadings(runs);
}
