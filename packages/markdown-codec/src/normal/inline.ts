import { CodecError } from "../error.ts";
import { foldLabel } from "../label.ts";
import type { Attrs, MarkJSON, NodeJSON } from "../types.ts";
import { isDataUrl, isSafeUrl } from "../url.ts";
import { cleanAttrs, reportAttrs } from "./attributes.ts";
import { cleanMarks, hasMark, isCode, NO_MARKS, sameMarks } from "./marks.ts";
import type { Report } from "./report.ts";
import { cleanText } from "./text.ts";

/** No nodes: what a block without content holds. */
export const NOTHING: readonly NodeJSON[] = [];

const marksOf = (node: NodeJSON): readonly MarkJSON[] => node.marks ?? NO_MARKS;

/** A text node of this package's shape: no key for marks where there are none. */
export function textNode(text: string, marks: readonly MarkJSON[] = NO_MARKS): NodeJSON {
  return marks.length === 0 ? { type: "text", text } : { type: "text", marks, text };
}

/** A node of a line that is no text, of this package's shape. */
export function atomNode(type: string, attrs: Attrs | undefined, marks: readonly MarkJSON[]): NodeJSON {
  return { type, ...(attrs ? { attrs } : undefined), ...(marks.length > 0 ? { marks } : undefined) };
}

/** The inline nodes of a text block in normal form; the same array where they are so already. */
export function normalizeInline(nodes: readonly NodeJSON[] = NOTHING, report: Report): readonly NodeJSON[] {
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined && isPlain(only)) {
    report.count(1);
    return nodes;
  }
  const out: NodeJSON[] = [];
  report.each(nodes, (node) => {
    normalizeNode(node, out, report);
    return node;
  });
  markBreaks(out);
  return out.length === nodes.length && out.every((node, index) => node === nodes[index]) ? nodes : out;
}

// Most blocks are one piece of text without marks.
function isPlain({ type, text, marks, attrs }: NodeJSON): boolean {
  if (type !== "text" || !text || marks !== undefined || attrs !== undefined) return false;
  return !text.includes("\n") && cleanText(text) === text;
}

function normalizeNode(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const { type } = node;
  if (type === "text") normalizeText(node, out, report);
  else if (type === "hardBreak") out.push(node);
  else if (type === "image" || type === "footnoteReference") normalizeAtom(node, out, report);
  else throw report.misplaced(node, "a line of text");
}

function normalizeText(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const marks = cleanMarks(node.marks, report);
  const raw = node.text ?? "";
  const text = cleanSpan(raw, marks);
  if (text !== raw) report.changed("characters that Markdown cannot hold were replaced");
  if (text.includes("\n")) report.changed("a line end in the text became a hard break");
  const isClean = text === node.text && marks === marksOf(node) && node.attrs === undefined;
  pushText(text, marks, out, isClean ? node : undefined);
}

/** The text of a span as Markdown can hold it with these marks. */
export function cleanSpan(text: string, marks: readonly MarkJSON[]): string {
  const clean = cleanText(text);
  return isCode(marks) ? clean.replace(/[\n\u2028\u2029]/g, " ") : clean;
}

/**
 * Adds a cleaned text, with a hard break for each of its line ends; a text with equal marks right before takes it in.
 * `node` is the text as a node, where there is one.
 */
export function pushText(text: string, marks: readonly MarkJSON[], out: NodeJSON[], node?: NodeJSON): void {
  const last = out.at(-1);
  if (text.includes("\n")) {
    text.split("\n").forEach((line, index) => {
      if (index > 0) out.push({ type: "hardBreak" });
      pushText(line, marks, out);
    });
  } else if (text === "") return;
  else if (last?.type === "text" && sameMarks(marksOf(last), marks)) {
    out[out.length - 1] = textNode(last.text + text, marksOf(last));
  } else out.push(node ?? textNode(text, marks));
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
  const marks = given.filter((mark) => mark.type !== "code" && (isImage || mark.type !== "link"));
  if (marks.length < given.length) report.changed(`a mark that a ${type} cannot carry was left out`);
  if (isImage && !isSafeUrl(source)) {
    report.changed("an image with an unsafe address became its description");
    pushText(String(attrs.alt ?? ""), marks, out);
    return;
  }
  reportAttrs(type, node.attrs, attrs, report);
  const isClean = attrs === node.attrs && given === marksOf(node) && marks.length === given.length;
  out.push(isClean ? node : atomNode(type, attrs, marks));
}

/** Breaks carry what the text on both sides carries, but code: that is all that Markdown shows of them. */
export function markBreaks(nodes: NodeJSON[]): void {
  for (let start = 0; start < nodes.length; start++) {
    if (nodes[start]?.type !== "hardBreak") continue;
    let end = start;
    while (nodes[end]?.type === "hardBreak") end++;
    const before = nodes[start - 1];
    const after = nodes[end];
    const marks = before && after ? commonMarks(marksOf(before), marksOf(after)) : NO_MARKS;
    for (let index = start; index < end; index++) {
      const node = nodes[index];
      if (node && !isCleanBreak(node, marks)) nodes[index] = atomNode("hardBreak", undefined, marks);
    }
    start = end - 1;
  }
}

function isCleanBreak(node: NodeJSON, marks: readonly MarkJSON[]): boolean {
  return node.attrs === undefined && node.marks?.length !== 0 && sameMarks(marksOf(node), marks);
}

function commonMarks(a: readonly MarkJSON[], b: readonly MarkJSON[]): readonly MarkJSON[] {
  return a.filter((mark) => mark.type !== "code" && hasMark(b, mark));
}
