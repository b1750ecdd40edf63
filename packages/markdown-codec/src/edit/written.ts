import type { Labels } from "../label.ts";
import { definedFootnotes } from "../normal/document.ts";
import { theReader } from "../read/the-reader.ts";
import type { DocJSON } from "../types.ts";
import { BlockWriter } from "../write/block.ts";
import { hasNoText } from "../write/list.ts";

/** The Markdown of a document in normal form, and where each block of its top level stands in it. */
export interface Written {
  readonly markdown: string;
  readonly starts: readonly number[];
  /** Exclusive, without the line feed. */
  readonly ends: readonly number[];
}

/** Writes a document in normal form, as `serializeMarkdown` does. */
export function writeBlocks(doc: DocJSON, labels: Labels = definedFootnotes(doc)): Written {
  if (hasNoText(doc.content)) return { markdown: "", starts: [0], ends: [0] };
  const writer = new BlockWriter(labels, theReader);
  const starts: number[] = [];
  const ends: number[] = [];
  let line = 0;
  let at = 0;
  doc.content.forEach((node, index) => {
    writer.add(node);
    // A blank line before it, but for the first block and for one that stands right below another.
    if (index > 0 && node.attrs?.tight !== true) {
      line++;
      at++;
    }
    starts.push(at);
    for (; line < writer.out.length; line++) at += (writer.out[line] ?? "").length + 1;
    ends.push(at - 1);
  });
  return { markdown: `${writer.out.join("\n")}\n`, starts, ends };
}
