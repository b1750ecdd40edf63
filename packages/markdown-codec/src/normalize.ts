import { CodecError } from "./error.ts";
import { cleanFootnoteLabel, foldLabel } from "./label.ts";
import { checkNodes, withDefaults } from "./limits.ts";
import { cleanAttrs, isSameMeaning } from "./normal/attributes.ts";
import { normalizeInline, textNode } from "./normal/inline.ts";
import { Report } from "./normal/report.ts";
import { normalizeTable } from "./normal/table.ts";
import { cleanText } from "./normal/text.ts";
import type { Labels } from "./syntax/environment.ts";
import type { Change, DocJSON, Limits, NodeJSON } from "./types.ts";

const EMPTY_PARAGRAPH: NodeJSON = { type: "paragraph" };

/**
 * The document in normal form, the shape that Markdown can hold, and what was altered for it. A document in normal
 * form comes back as it is: `normalize(normalize(d).doc)` has no changes.
 *
 * @throws CodecError `INVALID_DOC` where the JSON is no document, `INLINE_IMAGE`, `NESTING`, `LIMIT`
 */
export function normalize(doc: DocJSON): { doc: DocJSON; changes: readonly Change[] } {
  return normalizeWithin(doc, withDefaults());
}

/** `normalize` with the caller's limits; `footnotes` are labels that are defined elsewhere. */
export function normalizeWithin(
  doc: DocJSON,
  limits: Limits,
  footnotes: Labels = definedFootnotes(doc),
): { doc: DocJSON; changes: readonly Change[] } {
  if (doc.type !== "doc") throw new CodecError("INVALID_DOC", "The root is not a doc.", { path: [] });
  checkNodes(doc, limits);
  const report = new Report(footnotes, limits);
  const content = normalizeBlocks(doc.content, report, true);
  const same = content === doc.content && doc.attrs === undefined && doc.marks === undefined;
  return { doc: same ? doc : { type: "doc", content }, changes: report.changes };
}

/** The folded labels of the footnotes that a document defines. */
export function definedFootnotes(doc: NodeJSON): Set<string> {
  const labels = new Set<string>();
  for (const node of doc.content ?? []) {
    if (node.type === "footnoteDefinition") labels.add(foldLabel(cleanFootnoteLabel(String(node.attrs?.label ?? ""))));
  }
  return labels;
}

function normalizeBlocks(blocks: readonly NodeJSON[] | undefined, report: Report, top = false): readonly NodeJSON[] {
  if (blocks === undefined || blocks.length === 0) return [EMPTY_PARAGRAPH];
  const out: NodeJSON[] = [];
  let same = true;
  blocks.forEach((block, index) => {
    report.child(index, () => {
      const normal = normalizeBlock(block, report, top);
      if (normal !== block) same = false;
      if (normal !== null) out.push(normal);
    });
  });
  if (same) return blocks;
  return out.length > 0 ? out : [EMPTY_PARAGRAPH];
}

function normalizeBlock(node: NodeJSON, report: Report, top: boolean): NodeJSON | null {
  switch (node.type) {
    case "paragraph":
    case "heading":
      return rebuild(node, normalizeInline(node.content ?? NOTHING, report), report);
    case "blockquote":
      return rebuild(
        node,
        report.container(() => normalizeBlocks(node.content, report)),
        report,
      );
    case "bulletList":
    case "orderedList":
      return normalizeList(node, "listItem", report);
    case "taskList":
      return normalizeList(node, "taskItem", report);
    case "codeBlock":
      return normalizeCode(node, report);
    case "horizontalRule":
      return rebuild(node, NOTHING, report);
    case "table":
      return normalizeTableBlock(node, report);
    case "footnoteDefinition":
      if (top)
        return rebuild(
          node,
          report.container(() => normalizeBlocks(node.content, report)),
          report,
        );
      break;
  }
  throw new CodecError("INVALID_DOC", `A ${node.type} cannot stand here.`, { path: report.here() });
}

const NOTHING: readonly NodeJSON[] = [];

// The node with this content and its attributes in normal form; the same node where nothing differs.
function rebuild(node: NodeJSON, content: readonly NodeJSON[], report: Report): NodeJSON {
  const attrs = cleanAttrs(node.type, node.attrs);
  if (!isSameMeaning(node.attrs, attrs)) report.changed(`an attribute of a ${node.type} was cleaned`);
  const sameContent = content.length === 0 ? node.content === undefined : content === node.content;
  if (sameContent && attrs === node.attrs && node.marks === undefined) return node;
  return { type: node.type, ...(attrs ? { attrs } : undefined), ...(content.length > 0 ? { content } : undefined) };
}

function normalizeList(list: NodeJSON, itemType: string, report: Report): NodeJSON | null {
  const items = list.content ?? NOTHING;
  if (items.length === 0) {
    report.changed("a list without items was left out");
    return null;
  }
  let same = true;
  const content = report.container(() =>
    items.map((item, index) =>
      report.child(index, () => {
        if (item.type !== itemType) {
          throw new CodecError("INVALID_DOC", `A ${item.type} cannot stand in a ${list.type}.`, {
            path: report.here(),
          });
        }
        const normal = rebuild(
          item,
          report.container(() => itemBlocks(item, report)),
          report,
        );
        if (normal !== item) same = false;
        return normal;
      }),
    ),
  );
  return rebuild(list, same ? items : content, report);
}

// An item begins with a paragraph, if only an empty one.
function itemBlocks(item: NodeJSON, report: Report): readonly NodeJSON[] {
  const blocks = normalizeBlocks(item.content, report);
  if (blocks[0]?.type === "paragraph") return blocks;
  report.changed("an item begins with a paragraph");
  return [EMPTY_PARAGRAPH, ...blocks];
}

function normalizeCode(node: NodeJSON, report: Report): NodeJSON {
  const children = node.content ?? NOTHING;
  const raw = children.map((child) => child.text ?? "").join("");
  const text = cleanText(raw);
  if (text !== raw) report.changed("characters that Markdown cannot hold were replaced");
  const [only] = children;
  const isPlain = children.length === 1 && only !== undefined && only.text === text && only.marks === undefined;
  if (text === "") return rebuild(node, NOTHING, report);
  return rebuild(node, isPlain ? children : [textNode(text)], report);
}

function normalizeTableBlock(node: NodeJSON, report: Report): NodeJSON | null {
  const table = normalizeTable(node, report);
  if (table === null) return null;
  let same = true;
  const rows = (table.content ?? NOTHING).map((row) => {
    let sameRow = true;
    const cells = (row.content ?? NOTHING).map((cell) => {
      const [paragraph = EMPTY_PARAGRAPH] = cell.content ?? NOTHING;
      const normal = rebuild(paragraph, normalizeInline(paragraph.content ?? NOTHING, report), report);
      if (normal === paragraph) return cell;
      sameRow = false;
      return { ...cell, content: [normal] };
    });
    if (sameRow) return row;
    same = false;
    return { ...row, content: cells };
  });
  return same ? table : { ...table, content: rows };
}
