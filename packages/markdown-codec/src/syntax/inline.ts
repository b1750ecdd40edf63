import type { StateCore, Token } from "markdown-it";
import { CodecError } from "../error.ts";
import { isDataUrl } from "../url.ts";
import { environmentOf } from "./environment.ts";
import { pairTags } from "./tag.ts";

const BREAKS = new Set(["softbreak", "hardbreak"]);
const MARKS = new Set(["strong", "em", "s", "highlight", "underline", "subscript", "superscript"]);

/** After the inline rules: tags find their partners, marks nest at most once, images and links are checked. */
export function finishInline(state: StateCore): void {
  let line = 1;
  let addresses = environmentOf(state).addresses;
  for (const token of state.tokens) {
    if (token.map) line = token.map[0] + 1;
    const { children } = token;
    if (token.type !== "inline" || children === null) continue;
    if (children.length > 1) token.children = finish(children, line, state);
    else if (children[0]?.type === "image" || children[0]?.type === "tag")
      token.children = finish(children, line, state);
    addresses -= addressLength(children);
    if (addresses < 0) throw new CodecError("LIMIT", "References to links expand the text too much.", { line });
  }
}

// A reference of a few characters can stand for a long address, and be written ten thousand times.
function addressLength(tokens: readonly Token[]): number {
  let length = 0;
  for (const { attrs } of tokens) for (const [, value] of attrs ?? []) length += value.length;
  return length;
}

function finish(children: Token[], firstLine: number, state: StateCore): Token[] {
  if (children.some((child) => child.type === "tag")) pairTags(children);
  const depth = new Map<string, number>();
  const out: Token[] = [];
  let line = firstLine;
  let link: { opener: Token; empty: boolean } | undefined;
  for (const [index, child] of children.entries()) {
    // A break that was written as a tag is no end of a line.
    if (BREAKS.has(child.type) && child.content === "") line++;
    if (child.type === "softbreak" && isBesideBreak(children, index)) continue;
    if (child.type === "image") finishImage(child, line);
    if (child.type === "image_tag") throw inlineImage(line);
    if (child.type === "link_open") link = { opener: child, empty: true };
    else if (child.type === "link_close") {
      if (link?.empty) out.push(addressAsText(link.opener, state));
      link = undefined;
    } else if (link && child.nesting === 0 && (child.type !== "text" || child.content !== "")) link.empty = false;
    if (child.nesting === 0 && !isPairedTag(child)) out.push(child);
    else if (changesDepth(child, depth)) out.push(child);
  }
  return out;
}

// A pair of tags keeps the nesting 0 that markdown-it gave it, so that its own bookkeeping stays right.
function isPairedTag(token: Token): boolean {
  return token.type.endsWith("_open") || token.type.endsWith("_close");
}

// False for a mark inside the same mark: the inner one adds nothing, and its end must not end the outer one.
function changesDepth(token: Token, depth: Map<string, number>): boolean {
  const opens = token.type.endsWith("_open");
  const name = token.type.slice(0, opens ? -5 : -6);
  if (!MARKS.has(name)) return true;
  const level = (depth.get(name) ?? 0) + (opens ? 1 : -1);
  depth.set(name, level);
  return opens ? level === 1 : level === 0;
}

// "<br>" at the end of a line: the line's own end adds no space.
function isBesideBreak(children: readonly Token[], index: number): boolean {
  return children[index - 1]?.type === "hardbreak" || children[index + 1]?.type === "hardbreak";
}

// A link without text cannot be stored: it is shown by its address instead of being lost.
function addressAsText(opener: Token, state: StateCore): Token {
  const text = new state.Token("text", "", 0);
  text.content = String(opener.attrGet("href") ?? "");
  return text;
}

function finishImage(image: Token, line: number): void {
  const source = String(image.attrGet("src") ?? "");
  if (isDataUrl(source)) throw inlineImage(line);
  image.attrSet("alt", plainText(image.children ?? []));
}

/** The text of a label without its markup: what an image shows where it cannot be seen. */
function plainText(tokens: readonly Token[]): string {
  let text = "";
  for (const token of tokens) {
    if (BREAKS.has(token.type)) text += token.content || " ";
    else if (token.type === "image") text += plainText(token.children ?? []);
    else if (token.type === "footnote_ref") text += `[^${token.attrGet("label")}]`;
    else text += token.content;
  }
  return text;
}

function inlineImage(line: number): CodecError {
  return new CodecError("INLINE_IMAGE", "Images as data: URLs are refused. Upload the image, or link to it.", { line });
}
