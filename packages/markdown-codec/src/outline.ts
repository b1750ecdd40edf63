import { requireTree } from "./shape.ts";
import { textOf } from "./text.ts";
import type { DocJSON, NodeJSON, OutlineEntry } from "./types.ts";

/** The headings of a document in order, those in quotes and items too; `path` holds the child indexes to each. */
export function outline(doc: DocJSON): readonly OutlineEntry[] {
  requireTree(doc);
  const entries: OutlineEntry[] = [];
  collect(doc, [], entries);
  return entries;
}

function collect(node: NodeJSON, path: readonly number[], entries: OutlineEntry[]): void {
  node.content?.forEach((child, index) => {
    if (child.type === "heading") entries.push(entryOf(child, [...path, index]));
    else if (child.type !== "paragraph" && child.type !== "codeBlock") collect(child, [...path, index], entries);
  });
}

function entryOf(heading: NodeJSON, path: readonly number[]): OutlineEntry {
  const id = heading.attrs?.id;
  return {
    level: Number(heading.attrs?.level ?? 1),
    id: typeof id === "string" ? id : null,
    text: textOf(heading).replace(/\n/g, " "),
    path,
  };
}
