import { CodecError } from "./error.ts";
import { cleanFootnoteLabel, foldLabel } from "./label.ts";
import { containerLimit, withDefaults } from "./limits.ts";
import { rebuild } from "./normal/attributes.ts";
import { NOTHING, normalizeInline, textNode } from "./normal/inline.ts";
import { Report } from "./normal/report.ts";
import { normalizeTable } from "./normal/table.ts";
import { cleanText } from "./normal/text.ts";
import type { Change, DocJSON, Limits, NodeJSON } from "./types.ts";

/**
 * The document in normal form, the shape that Markdown can hold, and what was altered for it. A document in normal
 * form comes back as it is: `normalize(normalize(d).doc)` has no changes.
 *
 * @throws CodecError `INVALID_DOC` where the JSON is no document, `INLINE_IMAGE`, `NESTING`, `LIMIT`
 */
export function normalize(doc: DocJSON): { doc: DocJSON; changes: readonly Change[] } {
  return normalizeWithin(doc, withDefaults());
}

/** `normalize` with the caller's limits; `onBlock` gets each block of the top level as soon as it is in normal form. */
export function normalizeWithin(
  doc: DocJSON,
  limits: Limits,
  onBlock?: (block: NodeJSON) => void,
): { doc: DocJSON; changes: readonly Change[] } {
  if (doc.type !== "doc") throw new CodecError("INVALID_DOC", "The root is not a doc.", { path: [] });
  const report = new Report(definedFootnotes(doc), limits);
  const content = normalizeBlocks(doc, report, onBlock);
  const same = content === doc.content && doc.attrs === undefined && doc.marks === undefined;
  return { doc: same ? doc : { type: "doc", content }, changes: report.changes };
}

/** The folded labels of the footnotes that a document defines. */
export function definedFootnotes(doc: NodeJSON): Set<string> {
  const labels = new Set<string>();
  for (const node of doc.content ?? NOTHING) {
    if (node.type === "footnoteDefinition") labels.add(foldLabel(cleanFootnoteLabel(String(node.attrs?.label ?? ""))));
  }
  return labels;
}

function normalizeBlocks(
  { content = NOTHING }: NodeJSON,
  report: Report,
  onBlock?: (block: NodeJSON) => void,
): readonly NodeJSON[] {
  if (report.depth >= containerLimit(report.limits)) {
    const message = `Blocks are nested deeper than ${report.limits.depth} levels of lists.`;
    throw new CodecError("NESTING", message, { path: report.here() });
  }
  const blocks = report.each(content, (block) => {
    const normal = normalizeBlock(block, report);
    if (normal !== null) onBlock?.(normal);
    return normal;
  });
  return blocks.length > 0 ? blocks : [{ type: "paragraph" }];
}

function normalizeBlock(node: NodeJSON, report: Report): NodeJSON | null {
  switch (node.type) {
    case "paragraph":
    case "heading":
      return rebuild(node, normalizeInline(node.content, report), report);
    case "bulletList":
    case "orderedList":
      return normalizeList(node, "listItem", report);
    case "taskList":
      return normalizeList(node, "taskItem", report);
    case "codeBlock":
      return rebuild(node, normalizeCode(node, report), report);
    case "horizontalRule":
      return rebuild(node, NOTHING, report);
    case "table":
      return normalizeTable(node, report);
  }
  // Footnotes have their place at the top.
  if (node.type !== "blockquote" && (node.type !== "footnoteDefinition" || report.depth > 1)) {
    throw report.misplaced(node, "this place");
  }
  return rebuild(node, normalizeBlocks(node, report), report);
}

function normalizeList(list: NodeJSON, itemType: string, report: Report): NodeJSON | null {
  if (!list.content?.length) {
    report.changed("a list without items was left out");
    return null;
  }
  const items = report.each(list.content, (item) => {
    if (item.type !== itemType) throw report.misplaced(item, `a ${list.type}`);
    return rebuild(item, itemBlocks(item, report), report);
  });
  return rebuild(list, items, report);
}

// An item begins with a paragraph, if only an empty one.
function itemBlocks(item: NodeJSON, report: Report): readonly NodeJSON[] {
  const blocks = normalizeBlocks(item, report);
  if (blocks[0]?.type === "paragraph") return blocks;
  report.changed("an item begins with a paragraph");
  return [{ type: "paragraph" }, ...blocks];
}

function normalizeCode({ content = NOTHING }: NodeJSON, report: Report): readonly NodeJSON[] {
  report.count(content.length);
  const raw = content.map((child) => child.text ?? "").join("");
  const text = cleanText(raw);
  if (text !== raw) report.changed("characters that Markdown cannot hold were replaced");
  if (text === "") return NOTHING;
  const [only] = content;
  const isPlain = content.length === 1 && only?.text === text && only.marks === undefined;
  return isPlain ? content : [textNode(text)];
}
