import type { DocJSON, NodeJSON } from "markdown-codec";

// As Obsidian reads them: at least one character that is not a digit, and slashes between levels.
const tag =
  /(?<![\p{L}\p{N}_/&#])#(?=[\p{N}_/-]*[\p{L}\p{Extended_Pictographic}_])([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+)/gu;

/** Returns the `#tags` in the text of a document, outside of code and links. */
export function textTags(doc: DocJSON): string[] {
  const tags = new Set<string>();
  collect(doc, tags);
  return [...tags];
}

function collect({ type, text, marks = [], content = [] }: NodeJSON, tags: Set<string>): void {
  if (type === "codeBlock") return;
  const isText = text !== undefined && !marks.some((mark) => mark.type === "code" || mark.type === "link");
  if (isText) for (const [, name = ""] of text.matchAll(tag)) tags.add(name.replace(/\/+$/, ""));
  for (const child of content) collect(child, tags);
}
