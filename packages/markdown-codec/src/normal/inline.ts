import { CodecError } from "../error.ts";
import { foldLabel } from "../label.ts";
import { isInlineMath } from "../math.ts";
import { isMentionId, isUserAddress } from "../mention.ts";
import { holdsDataImage } from "../raw.ts";
import type { Attrs, MarkJSON, NodeJSON } from "../types.ts";
import { isDataUrl, isSafeUrl } from "../url.ts";
import { isWikiLink } from "../wiki-link.ts";
import { cleanAttrs, reportAttrs } from "./attributes.ts";
import { settleLinks } from "./links.ts";
import { areCleanMarks, cleanMarks, hasMark, NO_MARKS, sameMarks } from "./marks.ts";
import { atomNode, cleanSpan, NOTHING, pushText } from "./nodes.ts";
import { rawLine, settleBlockId } from "./raw-inline.ts";
import type { Report } from "./report.ts";
import { cleanLine } from "./text.ts";

const marksOf = (node: NodeJSON): MarkJSON[] => node.marks ?? NO_MARKS;

/** The inline nodes of a text block in normal form; the same array where they are so already. */
export function normalizeInline(nodes: NodeJSON[] = NOTHING, report: Report): NodeJSON[] {
  if (areSettled(nodes)) {
    report.count(nodes.length);
    return nodes;
  }
  const out: NodeJSON[] = [];
  report.each(nodes, (node) => {
    normalizeNode(node, out, report);
    return node;
  });
  settleLinks(out);
  if (settleBlockId(out)) report.changed("the id of a block that cannot stand there became text");
  const bare = markBreaks(out);
  if (bare.size > 0) reportBreaks(nodes, bare, report);
  return out.length === nodes.length && out.every((node, index) => node === nodes[index]) ? nodes : out;
}

// Line ends of any kind, what `cleanText` looks at, and what `mayHoldAddress` looks for.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSETTLED = /[@\u0000-\u0008\u000a-\u001f\u2028\u2029\ud800-\udfff]|:\/\/|www\./;

// Most lines are pieces of text with other marks each, in which nothing can be an address or a mention.
function areSettled(nodes: readonly NodeJSON[]): boolean {
  let before: MarkJSON[] | undefined;
  for (const { type, text, marks, attrs } of nodes) {
    if (type !== "text" || !text || attrs !== undefined || UNSETTLED.test(text)) return false;
    if (marks !== undefined && (marks.length === 0 || !areSettledMarks(marks))) return false;
    const own = marks ?? NO_MARKS;
    if (before !== undefined && sameMarks(before, own)) return false;
    before = own;
  }
  return true;
}

function areSettledMarks(marks: MarkJSON[]): boolean {
  const [first] = marks;
  return areCleanMarks(marks) && !(first?.type === "link" && isUserAddress(first.attrs?.href));
}

function normalizeNode(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const { type } = node;
  if (type === "text") normalizeText(node, out, report);
  else if (type === "rawInline") normalizeRaw(node, out, report);
  else if (type === "hardBreak") {
    reportAttrs(type, node.attrs, undefined, report);
    out.push(node);
  } else if (type === "image" || type === "footnoteReference") normalizeAtom(node, out, report);
  else if (type === "inlineMath" || type === "mention" || type === "wikiLink") normalizeConstruct(node, out, report);
  else throw report.misplaced(node, "a line of text");
}

function normalizeText(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const marks = cleanMarks(node.marks, report);
  reportAttrs("text", node.attrs, undefined, report);
  const raw = node.text ?? "";
  const text = cleanSpan(raw, marks);
  if (text !== raw) report.changed("characters that Markdown cannot hold were replaced");
  if (text.includes("\n")) report.changed("a line end in the text became a hard break");
  const isClean = text === node.text && marks === marksOf(node) && node.attrs === undefined;
  pushText(text, marks, out, isClean ? node : undefined);
}

// An image or a reference to a footnote; where it cannot be one, the text that stands for it.
function normalizeAtom(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const { type } = node;
  const isImage = type === "image";
  const attrs = cleanAttrs(type, node.attrs) ?? {};
  const source = String(attrs.src);
  const label = String(attrs.label);
  if (isImage && isDataUrl(source)) {
    throw new CodecError("INLINE_IMAGE", "Images as data: URLs are refused.", { path: report.here() });
  }
  const given = cleanMarks(node.marks, report);
  if (!isImage && !report.footnotes.has(foldLabel(label))) {
    report.changed(`a reference to the footnote ${label}, which is not defined, became text`);
    pushText(`[^${label}]`, given, out);
    return;
  }
  const marks = carriedMarks(node, given, isImage, report);
  if (isImage && !isSafeUrl(source)) {
    report.changed("an image with an unsafe address became its description");
    pushText(String(attrs.alt ?? ""), marks, out);
    return;
  }
  pushAtom(node, attrs, marks, out, report);
}

// The marks without those that the node cannot carry.
function carriedMarks({ type }: NodeJSON, given: MarkJSON[], carriesLink: boolean, report: Report): MarkJSON[] {
  const marks = given.filter((mark) => mark.type !== "code" && (carriesLink || mark.type !== "link"));
  if (marks.length === given.length) return given;
  report.changed(`a mark that a ${type} cannot carry was left out`);
  return marks;
}

// Adds a node with these attributes and marks; the same one where it has them.
function pushAtom(node: NodeJSON, attrs: Attrs, marks: MarkJSON[], out: NodeJSON[], report: Report): void {
  const { type, attrs: given = {} } = node;
  reportAttrs(type, node.attrs, attrs, report);
  const names = Object.keys(attrs);
  const hasAttrs = Object.keys(given).length === names.length && names.every((name) => attrs[name] === given[name]);
  out.push(hasAttrs && marks === marksOf(node) ? node : atomNode(type, attrs, marks));
}

// A formula, a mention or a link to a page; text where it cannot be one.
function normalizeConstruct(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const { type } = node;
  const marks = carriedMarks(node, cleanMarks(node.marks, report), type === "inlineMath", report);
  const [attrs, text] = CONSTRUCTS[type]?.(node.attrs ?? {}) ?? [undefined, ""];
  if (attrs === undefined) {
    report.changed(`a ${type} that Markdown cannot hold became text`);
    pushText(text, marks, out);
    return;
  }
  pushAtom(node, attrs, marks, out, report);
}

const asLine = (value: unknown): string => (typeof value === "string" ? cleanLine(value) : "");

/** The attributes in normal form, if there are any, and the text that stands for the node otherwise. */
const CONSTRUCTS: { readonly [type: string]: (attrs: Attrs) => [Attrs | undefined, string] } = {
  inlineMath: ({ latex: given, display }) => {
    const latex = asLine(given).trim();
    return [isInlineMath(latex) ? { latex, display: display === true } : undefined, latex];
  },
  mention: ({ id, label: given }) => {
    const label = asLine(given).trim();
    const isMention = typeof id === "string" && isMentionId(id) && label !== "";
    return [isMention ? { id, label } : undefined, label && `@${label}`];
  },
  wikiLink: ({ source: given }) => {
    const source = asLine(given);
    return [isWikiLink(source) ? { source } : undefined, source];
  },
};

// A raw construct within a line; text where its source would be read otherwise.
function normalizeRaw(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const kind = String(node.attrs?.kind);
  const written = typeof node.attrs?.source === "string" ? node.attrs.source : "";
  const source = rawLine(written);
  if (holdsDataImage(source)) {
    throw new CodecError("INLINE_IMAGE", "Images as data: URLs are refused.", { path: report.here() });
  }
  const marks = carriedMarks(node, cleanMarks(node.marks, report), true, report);
  if (!report.raw.isInline(kind, source)) {
    report.changed(`a raw construct (${kind}) that would be read otherwise became text`);
    pushText(source, marks, out);
    return;
  }
  if (source !== written) report.changed("the source of a raw construct was cleaned");
  pushAtom(node, { kind, source }, marks, out, report);
}

/**
 * Breaks carry what the text on both sides carries, but code: that is all that Markdown shows of them. Returns the
 * breaks that lose a mark by that.
 */
export function markBreaks(nodes: NodeJSON[]): ReadonlySet<NodeJSON> {
  const bare = new Set<NodeJSON>();
  for (let start = 0; start < nodes.length; start++) {
    if (nodes[start]?.type !== "hardBreak") continue;
    let end = start;
    while (nodes[end]?.type === "hardBreak") end++;
    const before = nodes[start - 1];
    const after = nodes[end];
    const marks = before && after ? commonMarks(marksOf(before), marksOf(after)) : NO_MARKS;
    for (let index = start; index < end; index++) {
      const node = nodes[index];
      if (node === undefined || isCleanBreak(node, marks)) continue;
      if (marksOf(node).some((mark) => !hasMark(marks, mark))) bare.add(node);
      nodes[index] = atomNode("hardBreak", undefined, marks);
    }
    start = end - 1;
  }
  return bare;
}

function reportBreaks(nodes: NodeJSON[], bare: ReadonlySet<NodeJSON>, report: Report): void {
  nodes.forEach((node, index) => {
    if (bare.has(node)) report.changed("a mark that a hardBreak cannot carry was left out", index);
  });
}

function isCleanBreak(node: NodeJSON, marks: MarkJSON[]): boolean {
  return node.attrs === undefined && node.marks?.length !== 0 && sameMarks(marksOf(node), marks);
}

function commonMarks(a: MarkJSON[], b: MarkJSON[]): MarkJSON[] {
  return a.filter((mark) => mark.type !== "code" && hasMark(b, mark));
}
