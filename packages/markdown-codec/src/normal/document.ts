import { settleCallout } from "../callout.ts";
import { CodecError } from "../error.ts";
import type { KnownBlocks } from "../known-blocks.ts";
import { cleanFootnoteLabel, foldLabel } from "../label.ts";
import { isBlockMath } from "../math.ts";
import type { Change, DocJSON, Limits, NodeJSON } from "../types.ts";
import { rebuild, reportAttrs } from "./attributes.ts";
import { isDetailsTag, pairDetails } from "./details.ts";
import { normalizeInline } from "./inline.ts";
import { codeOf, NOTHING, textNode } from "./nodes.ts";
import { normalizeRawBlock } from "./raw-block.ts";
import { type RawSyntax, Report } from "./report.ts";
import { normalizeTable } from "./table.ts";
import { cleanText } from "./text.ts";
import { settleTight } from "./tight.ts";

/** `normalize` with the caller's limits; `onBlock` gets each block of the top level as soon as it is in normal form. */
export function normalizeWithin(
  doc: DocJSON,
  limits: Limits,
  raw: RawSyntax,
  known?: KnownBlocks,
  onBlock?: (block: NodeJSON) => void,
  footnotes: ReadonlySet<string> = definedFootnotes(doc),
): { doc: DocJSON; changes: readonly Change[] } {
  if (doc.type !== "doc") throw new CodecError("INVALID_DOC", "The root is not a doc.", { path: [] });
  const report = new Report(footnotes, limits, raw);
  const content = normalizeBlocks(doc, report, known, onBlock);
  reportAttrs("doc", doc.attrs, undefined, report);
  const same = content === doc.content && doc.attrs === undefined && doc.marks === undefined;
  return { doc: same ? doc : { type: "doc", content }, changes: report.changes };
}

/** The folded labels of the footnotes that a document defines. */
export function definedFootnotes(doc: NodeJSON): Set<string> {
  const labels = new Set<string>();
  addFootnotes(doc, labels);
  return labels;
}

function addFootnotes({ content = NOTHING }: NodeJSON, labels: Set<string>): void {
  for (const node of content) {
    if (WITHOUT_BLOCKS.has(node.type)) continue;
    if (node.type === "footnoteDefinition") labels.add(foldLabel(cleanFootnoteLabel(String(node.attrs?.label ?? ""))));
    addFootnotes(node, labels);
  }
}

const WITHOUT_BLOCKS = new Set(["paragraph", "heading", "codeBlock", "table"]);

function normalizeBlocks(
  { type, content = NOTHING }: NodeJSON,
  report: Report,
  known?: KnownBlocks,
  onBlock?: (block: NodeJSON) => void,
): NodeJSON[] {
  report.requireDepth(0);
  let before: NodeJSON | undefined;
  const paired = pairDetails(content, (depth) => report.requireDepth(depth + 1));
  if (paired !== content) report.changed("the tags of details became one block");
  const blocks = report.each(paired, (block) => {
    const isStray = type === "details" && isDetailsTag(block);
    const settle = () => (isStray ? strayTag(block, report) : normalizeBlock(block, before, report));
    const settled = known ? known.settle(block, report, settle) : settle();
    if (settled === null) return null;
    before = settled.type === "rawBlock" ? settleTight(settled, before) : settled;
    onBlock?.(before);
    return before;
  });
  return blocks.length > 0 ? blocks : [{ type: "paragraph" }];
}

function strayTag(node: NodeJSON, report: Report): NodeJSON {
  report.changed("a tag of details within details became code");
  const source = cleanText(String(node.attrs?.source)).trim();
  return codeOf(source);
}

function normalizeBlock(node: NodeJSON, before: NodeJSON | undefined, report: Report): NodeJSON | null {
  switch (node.type) {
    case "paragraph":
    case "heading":
      return rebuild(node, normalizeInline(node.content, report), report);
    case "bulletList":
    case "orderedList":
    case "taskList":
      return normalizeList(node, report);
    case "codeBlock":
      return rebuild(node, normalizeCode(node, report), report);
    case "horizontalRule":
      return rebuild(node, NOTHING, report);
    case "table":
      return normalizeTable(node, report);
    case "rawBlock":
      return normalizeRawBlock(node, before, report);
    case "blockMath":
      return normalizeMath(node, report);
    case "callout":
      return normalizeCallout(node, report);
  }
  if (!CONTAINERS.has(node.type)) throw report.misplaced(node, "this place");
  return rebuild(node, normalizeBlocks(node, report), report);
}

const CONTAINERS = new Set(["blockquote", "details", "footnoteDefinition"]);

// A list of tasks only is a list of tasks; one that mixes them with other items is a list with bullets.
function normalizeList(given: NodeJSON, report: Report): NodeJSON | null {
  const { content = NOTHING, type } = given;
  if (content.length === 0) {
    report.changed("a list without items was left out");
    return null;
  }
  const items = report.each(content, (item) => {
    if (item.type !== "listItem" && item.type !== "taskItem") throw report.misplaced(item, `a ${type}`);
    return rebuild(item, itemBlocks(item, report), report);
  });
  if (type === "orderedList") return rebuild(given, items, report);
  const settled = items.every((item) => item.type === "taskItem") ? "taskList" : "bulletList";
  return rebuild(settled === type ? given : { ...given, type: settled }, items, report);
}

function normalizeCallout(given: NodeJSON, report: Report): NodeJSON {
  const node = rebuild(given, normalizeBlocks(given, report), report);
  const attrs = settleCallout(node.attrs ?? {});
  return attrs === node.attrs ? node : { ...node, attrs };
}

function normalizeMath(given: NodeJSON, report: Report): NodeJSON {
  const written = String(given.attrs?.latex ?? "");
  const latex = cleanText(written);
  if (latex !== written) report.changed("characters that Markdown cannot hold were replaced");
  if (isBlockMath(latex)) return rebuild(latex === written ? given : { ...given, attrs: { latex } }, NOTHING, report);
  report.changed("a formula that holds a line of $$ became code");
  return codeOf(latex);
}

// An item begins with a paragraph, if only an empty one.
function itemBlocks(item: NodeJSON, report: Report): NodeJSON[] {
  const blocks = normalizeBlocks(item, report);
  if (blocks[0]?.type === "paragraph") return blocks;
  report.changed("an item begins with a paragraph");
  return [{ type: "paragraph" }, ...blocks];
}

function normalizeCode({ content = NOTHING }: NodeJSON, report: Report): NodeJSON[] {
  report.count(content.length);
  const raw = content.map((child) => child.text ?? "").join("");
  const text = cleanText(raw);
  if (text !== raw) report.changed("characters that Markdown cannot hold were replaced");
  if (text === "") return NOTHING;
  const [only] = content;
  const isPlain = content.length === 1 && only?.text === text && only.marks === undefined;
  return isPlain ? content : [textNode(text)];
}
