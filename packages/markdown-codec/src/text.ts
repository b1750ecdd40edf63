import { visibleText } from "./raw.ts";
import { requireTree } from "./shape.ts";
import type { DocJSON, NodeJSON, TextOptions } from "./types.ts";
import { readWikiLink } from "./wiki-link.ts";

const TEXT_BLOCKS = new Set(["paragraph", "heading", "codeBlock"]);

/**
 * The words of a document without any markup, one block a line (`separator`): hard breaks are line feeds, images are
 * their descriptions, references to footnotes are left out, rules are nothing.
 */
export function toPlainText(doc: DocJSON, options: TextOptions = {}): string {
  requireTree(doc);
  const lines: string[] = [];
  collect(doc, lines);
  return lines.join(options.separator ?? "\n");
}

function collect(node: NodeJSON, lines: string[]): void {
  for (const child of node.content ?? []) {
    const head = headOf(child);
    if (typeof head === "string" && head !== "") lines.push(head);
    if (child.type === "blockMath") lines.push(String(child.attrs?.latex ?? ""));
    else if (child.type === "rawBlock") {
      const text = visibleText(child.attrs?.kind, child.attrs?.source);
      if (text !== "") lines.push(text);
    } else if (!TEXT_BLOCKS.has(child.type)) collect(child, lines);
    else {
      const text = textOf(child);
      if (text !== "") lines.push(text);
    }
  }
}

// Tools that read callouts read markup in their titles; in a summary, which is HTML, it is text.
function headOf({ type, attrs }: NodeJSON): unknown {
  if (type === "callout" && typeof attrs?.title === "string") return attrs.title.replace(/[`*]/g, "");
  return type === "details" ? attrs?.summary : undefined;
}

/** The text of one paragraph, heading or code block. */
export function textOf(block: NodeJSON): string {
  let text = "";
  for (const node of block.content ?? []) text += node.text ?? atomText(node);
  return text;
}

function atomText(node: NodeJSON): string {
  if (node.type === "hardBreak") return "\n";
  if (node.type === "rawInline") return inlineText(node);
  if (node.type === "inlineMath") return String(node.attrs?.latex ?? "");
  if (node.type === "mention") return `@${node.attrs?.label}`;
  if (node.type === "wikiLink") return readWikiLink(node.attrs?.source).text;
  return node.type === "image" && typeof node.attrs?.alt === "string" ? node.attrs.alt : "";
}

function inlineText({ attrs }: NodeJSON): string {
  return attrs?.kind === "blockId" ? String(attrs.source) : visibleText(attrs?.kind, attrs?.source);
}
