import { type DocJSON, isSafeUrl, type MarkJSON, type NodeJSON } from "markdown-codec";
import { blockOf } from "./blocks.ts";
import { LineWriter } from "./line-writer.ts";
import { attributeOf, type Element, type HtmlParent, isElement, textOfNode } from "./parse.ts";
import type { HtmlReading } from "./reading.ts";

/**
 * Reads HTML into a document. Every text becomes text of the document, so that no HTML of the source can come through.
 */
export function documentOf(parent: HtmlParent, reading: HtmlReading): DocJSON {
  const content = blocksIn(parent, reading);
  return { type: "doc", content: content.length === 0 ? [{ type: "paragraph" }] : content };
}

function blocksIn(parent: HtmlParent, reading: HtmlReading): NodeJSON[] {
  const writer = new LineWriter();
  write(parent, reading, [], writer);
  writer.endLine();
  return writer.blocks;
}

const markOfTag: Readonly<Record<string, string>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  cite: "italic",
  s: "strike",
  del: "strike",
  strike: "strike",
  u: "underline",
  ins: "underline",
  mark: "highlight",
  sub: "subscript",
  sup: "superscript",
  code: "code",
  kbd: "code",
  samp: "code",
  tt: "code",
};

/** Elements that browsers do not show as text. */
const invisible: ReadonlySet<string> = new Set(
  "head script style template noscript svg math meta link title colgroup col button select option datalist".split(" "),
);

/** Elements that show something which is not text. */
const foreign: ReadonlySet<string> = new Set("iframe video audio object embed canvas form input textarea".split(" "));

/** Elements that begin and end a line of their own. */
const containers: ReadonlySet<string> = new Set(
  "html body p div section article main header footer nav aside address center figure figcaption dl dt dd fieldset summary caption tbody tr td th li".split(
    " ",
  ),
);

function write(parent: HtmlParent, reading: HtmlReading, marks: MarkJSON[], writer: LineWriter): void {
  for (const child of parent.childNodes) {
    const text = textOfNode(child);
    if (text !== undefined) writer.text(text, marks);
    else if (isElement(child)) writeElement(child, reading, marks, writer);
  }
}

function writeElement(element: Element, reading: HtmlReading, marks: MarkJSON[], writer: LineWriter): void {
  const { tagName } = element;
  const read = (below: HtmlParent) => blocksIn(below, reading);
  const blocks = reading.macro(element, read) ?? blockOf(element, read);
  if (blocks !== null) writer.block(...blocks);
  else if (tagName === "br") writer.add({ type: "hardBreak" });
  else if (tagName === "img") writePicture(element, reading, marks, writer);
  else if (foreign.has(tagName)) writeForeign(element, reading, marks, writer);
  else if (containers.has(tagName)) {
    writer.endLine();
    write(element, reading, tagName === "dt" ? withMark(marks, { type: "bold" }) : marks, writer);
    writer.endLine();
  } else if (!invisible.has(tagName)) write(element, reading, marksOf(element, marks), writer);
}

function marksOf(element: Element, marks: MarkJSON[]): MarkJSON[] {
  const type = markOfTag[element.tagName];
  if (type !== undefined) return withMark(marks, { type });
  const href = element.tagName === "a" ? attributeOf(element, "href") : undefined;
  if (href === undefined || href === "" || !isSafeUrl(href)) return marks;
  return withMark(marks, { type: "link", attrs: { href, title: attributeOf(element, "title") ?? null } });
}

const withMark = (marks: MarkJSON[], mark: MarkJSON): MarkJSON[] =>
  marks.some(({ type }) => type === mark.type) ? marks : [...marks, mark];

/** Writes the address of a film, a frame or a player as a link; reports everything else, such as forms. */
function writeForeign(element: Element, reading: HtmlReading, marks: MarkJSON[], writer: LineWriter): void {
  const href = attributeOf(element, "src") ?? attributeOf(element, "data");
  if (href === undefined || href === "" || !isSafeUrl(href) || element.tagName === "input") {
    reading.onLeftOut(`<${element.tagName}>`);
    return;
  }
  writer.text(href, withMark(marks, { type: "link", attrs: { href, title: null } }));
}

function writePicture(element: Element, reading: HtmlReading, marks: MarkJSON[], writer: LineWriter): void {
  const emoji = attributeOf(element, "data-emoji-fallback") ?? "";
  const picture = pictureOf(element, marks);
  if (emoji !== "") writer.text(emoji, marks);
  else if (picture === null) reading.onLeftOut(`<img src="${(attributeOf(element, "src") ?? "").slice(0, 40)}">`);
  else writer.add(picture);
}

/** Returns the picture of an `img` element; null if it has no address that a document may show. */
export function pictureOf(element: Element, marks: MarkJSON[] = []): NodeJSON | null {
  const src = attributeOf(element, "src") ?? "";
  if (src === "" || /^\s*data:/i.test(src) || !isSafeUrl(src)) return null;
  const attrs = { src, alt: attributeOf(element, "alt") || null, title: attributeOf(element, "title") || null };
  const kept = marks.filter(({ type }) => type !== "code");
  return { type: "image", attrs, ...(kept.length === 0 ? {} : { marks: kept }) };
}
