import { CodecError } from "../error.ts";
import { foldLabel } from "../label.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { isDataUrl, isSafeUrl } from "../url.ts";
import { cleanAttrs, isSameMeaning } from "./attributes.ts";
import { cleanMarks, isMark, NO_MARKS, sameMark, sameMarks } from "./marks.ts";
import type { Report } from "./report.ts";
import { cleanText } from "./text.ts";

const marksOf = (node: NodeJSON): readonly MarkJSON[] => node.marks ?? NO_MARKS;

function withMarks(node: NodeJSON, marks: readonly MarkJSON[]): NodeJSON {
  const { marks: _, ...rest } = node;
  return marks.length === 0 ? rest : { ...rest, marks };
}

/** A text node of this package's shape: no key for marks where there are none. */
export function textNode(text: string, marks: readonly MarkJSON[] = NO_MARKS): NodeJSON {
  return marks.length === 0 ? { type: "text", text } : { type: "text", marks, text };
}

/** The inline nodes of a text block in normal form; the same array where they are so already. */
export function normalizeInline(nodes: readonly NodeJSON[], report: Report): readonly NodeJSON[] {
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined && isPlain(only)) return nodes;
  const out: NodeJSON[] = [];
  let hasBreak = false;
  nodes.forEach((node, index) => {
    report.child(index, () => normalizeNode(node, out, report));
  });
  for (const node of out) if (node.type === "hardBreak") hasBreak = true;
  if (hasBreak) markBreaks(out);
  return out.length === nodes.length && out.every((node, index) => node === nodes[index]) ? nodes : out;
}

// Most blocks are one piece of text without marks.
function isPlain({ type, text, marks, attrs }: NodeJSON): boolean {
  if (type !== "text" || !text || marks !== undefined || attrs !== undefined) return false;
  return !text.includes("\n") && cleanText(text) === text;
}

function normalizeNode(node: NodeJSON, out: NodeJSON[], report: Report): void {
  switch (node.type) {
    case "text":
      normalizeText(node, out, report);
      return;
    case "hardBreak":
      out.push(node.attrs === undefined ? node : { type: "hardBreak", marks: marksOf(node) });
      return;
    case "image":
      normalizeImage(node, out, report);
      return;
    case "footnoteReference":
      normalizeReference(node, out, report);
      return;
    default:
      throw new CodecError("INVALID_DOC", `A ${node.type} cannot stand in a line of text.`, { path: report.here() });
  }
}

function normalizeText(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const marks = cleanMarks(node.marks, report);
  const raw = node.text ?? "";
  const isCode = isMark(marks, "code");
  const text = isCode ? cleanText(raw).replace(/[\n\u2028\u2029]/g, " ") : cleanText(raw);
  if (text !== raw) report.changed("characters that Markdown cannot hold were replaced");
  if (text.includes("\n")) {
    report.changed("a line end in the text became a hard break");
    text.split("\n").forEach((line, index) => {
      if (index > 0) out.push({ type: "hardBreak" });
      if (line !== "") pushText(line, marks, out);
    });
  } else if (text !== "") {
    const unchanged = text === node.text && marks === marksOf(node) && (marks.length > 0 || node.marks === undefined);
    pushText(text, marks, out, unchanged && node.attrs === undefined ? node : undefined);
  }
}

/** Adds a text; one with equal marks right before it takes it in. `node` is the text as a node, where there is one. */
export function pushText(text: string, marks: readonly MarkJSON[], out: NodeJSON[], node?: NodeJSON): void {
  const last = out.at(-1);
  if (last?.type === "text" && sameMarks(marksOf(last), marks)) {
    out[out.length - 1] = textNode(last.text + text, marksOf(last));
  } else out.push(node ?? textNode(text, marks));
}

// Marks that mean something on the node; code is for text alone.
function marksWithout(node: NodeJSON, excluded: readonly string[], report: Report): readonly MarkJSON[] {
  const marks = cleanMarks(node.marks, report);
  if (!marks.some((mark) => excluded.includes(mark.type))) return marks;
  report.changed(`a mark that a ${node.type} cannot carry was left out`);
  return marks.filter((mark) => !excluded.includes(mark.type));
}

function normalizeImage(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const attrs = cleanAttrs("image", node.attrs) ?? {};
  const source = String(attrs.src);
  if (isDataUrl(source)) {
    throw new CodecError("INLINE_IMAGE", "Images as data: URLs are refused.", { path: report.here() });
  }
  const marks = marksWithout(node, ["code"], report);
  if (!isSafeUrl(source)) {
    report.changed("an image with an unsafe address became its description");
    if (typeof attrs.alt === "string") pushText(attrs.alt, marks, out);
    return;
  }
  if (!isSameMeaning(node.attrs, attrs)) report.changed("an attribute of an image was cleaned");
  pushAtom(node, attrs, marks, out);
}

function normalizeReference(node: NodeJSON, out: NodeJSON[], report: Report): void {
  const attrs = cleanAttrs("footnoteReference", node.attrs) ?? {};
  const label = String(attrs.label);
  if (!report.footnotes.has(foldLabel(label))) {
    report.changed(`a reference to the footnote ${label}, which is not defined, became text`);
    pushText(`[^${label}]`, cleanMarks(node.marks, report), out);
    return;
  }
  if (!isSameMeaning(node.attrs, attrs)) report.changed("the label of a footnote was cleaned");
  pushAtom(node, attrs, marksWithout(node, ["code", "link"], report), out);
}

function pushAtom(node: NodeJSON, attrs: NodeJSON["attrs"], marks: readonly MarkJSON[], out: NodeJSON[]): void {
  const sameShape = marks === marksOf(node) && (marks.length > 0 || node.marks === undefined);
  if (attrs === node.attrs && sameShape) out.push(node);
  else out.push(withMarks({ type: node.type, ...(attrs ? { attrs } : undefined) }, marks));
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
      if (node && !isCleanBreak(node, marks)) nodes[index] = withMarks({ type: "hardBreak" }, marks);
    }
    start = end - 1;
  }
}

function isCleanBreak(node: NodeJSON, marks: readonly MarkJSON[]): boolean {
  if (marks.length === 0) return node.marks === undefined;
  return sameMarks(marksOf(node), marks);
}

function commonMarks(a: readonly MarkJSON[], b: readonly MarkJSON[]): readonly MarkJSON[] {
  return a.filter((mark) => mark.type !== "code" && b.some((other) => sameMark(mark, other)));
}
