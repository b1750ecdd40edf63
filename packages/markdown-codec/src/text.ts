import { below } from "./depth.ts";
import type { DocJSON, NodeJSON, TextOptions } from "./types.ts";

const TEXT_BLOCKS = new Set(["paragraph", "heading", "codeBlock"]);

/**
 * The words of a document without any markup, one block a line (`separator`): hard breaks are line feeds, images are
 * their descriptions, references to footnotes are left out, rules are nothing.
 */
export function toPlainText(doc: DocJSON, options: TextOptions = {}): string {
  const lines: string[] = [];
  collect(doc, lines, 0);
  return lines.join(options.separator ?? "\n");
}

function collect(node: NodeJSON, lines: string[], depth: number): void {
  for (const child of node.content ?? []) {
    if (!TEXT_BLOCKS.has(child.type)) collect(child, lines, below(depth));
    else {
      const text = textOf(child);
      if (text !== "") lines.push(text);
    }
  }
}

/** The text of one paragraph, heading or code block. */
export function textOf(block: NodeJSON): string {
  let text = "";
  for (const node of block.content ?? []) text += node.text ?? atomText(node);
  return text;
}

function atomText(node: NodeJSON): string {
  if (node.type === "hardBreak") return "\n";
  return node.type === "image" && typeof node.attrs?.alt === "string" ? node.attrs.alt : "";
}
