import type { Token } from "markdown-it";
import { CodecError } from "../error.ts";
import { isUserAddress } from "../mention.ts";
import { markBreaks } from "../normal/inline.ts";
import { mentionOfNode, settleLinks } from "../normal/links.ts";
import { insertMark, NO_MARKS, removeMark } from "../normal/marks.ts";
import { atomNode, cleanSpan, pushText, textNode } from "../normal/nodes.ts";
import { rawLine, settleBlockId } from "../normal/raw-inline.ts";
import { cleanLine, cleanText, cleanUrl } from "../normal/text.ts";
import { pairTags } from "../syntax/tag.ts";
import type { Attrs, MarkJSON, NodeJSON } from "../types.ts";
import { isDataUrl } from "../url.ts";
import { imageOfTag } from "./image-tag.ts";

const MARKS: { readonly [token: string]: string } = {
  strong: "bold",
  em: "italic",
  s: "strike",
};

/** The part of a reader that a line needs. */
interface Purse {
  /** Counts the characters of the addresses that a text shows. */
  spend(length: number, line: number): void;
  /** Resolves entities and backslashes. */
  unescape(text: string): string;
}

/** The tokens of a line of text as nodes in normal form. */
export function inlineNodes(tokens: readonly Token[], line: number, purse: Purse): NodeJSON[] {
  const reader = new InlineReader(tokens, line, purse);
  return reader.read();
}

class InlineReader {
  readonly #tokens: readonly Token[];
  readonly #purse: Purse;
  readonly #out: NodeJSON[] = [];
  #line: number;
  #hasBlockId = false;
  #marks: MarkJSON[] = NO_MARKS;
  // The link that is open and has no text yet.
  #emptyLink: Attrs | undefined;
  // Where the text of a link to a user begins, or -1.
  #userLink = -1;
  // How many marks of a kind lie around: one within the same mark adds nothing.
  readonly #depth: { [mark: string]: number } = {};

  constructor(tokens: readonly Token[], line: number, purse: Purse) {
    this.#tokens = tokens;
    this.#line = line;
    this.#purse = purse;
  }

  read(): NodeJSON[] {
    if (this.#tokens.some((token) => token.type === "tag")) pairTags(this.#tokens);
    this.#tokens.forEach((token, index) => {
      this.#token(token, index);
    });
    settleLinks(this.#out);
    markBreaks(this.#out);
    if (this.#hasBlockId) settleBlockId(this.#out);
    return this.#out;
  }

  #token(token: Token, index: number): void {
    const { type, content } = token;
    switch (type) {
      case "text":
        this.#text(content);
        break;
      case "text_special":
        // An entity can stand for any character.
        this.#text(cleanText(content));
        break;
      case "softbreak":
        this.#line++;
        // "<br>" at the end of a line: the line's own end adds no space.
        if (this.#tokens[index - 1]?.type !== "hardbreak" && this.#tokens[index + 1]?.type !== "hardbreak") {
          this.#text(" ");
        }
        break;
      case "hardbreak":
        // A break that was written as a tag is no end of a line.
        if (content === "") this.#line++;
        this.#atom("hardBreak");
        break;
      case "code_inline":
        this.#code([...this.#marks, { type: "code" }], content);
        break;
      case "image":
        this.#image(token);
        break;
      case "image_tag":
        throw inlineImage(this.#line);
      case "atom":
        this.#atom(token.info, token.meta);
        break;
      case "raw":
        this.#raw(token);
        break;
      case "footnote_ref":
        this.#atom("footnoteReference", { label: token.info });
        break;
      case "link_open":
        this.#openLink(token);
        break;
      case "link_close":
        this.#closeLink();
        break;
      default:
        this.#mark(type);
    }
  }

  #text(text: string, marks: MarkJSON[] = this.#marks): void {
    if (text === "") return;
    this.#emptyLink = undefined;
    if (this.#out.length === this.#userLink) this.#out.push(textNode(text, marks));
    else pushText(text, marks, this.#out);
  }

  #code(marks: MarkJSON[], content: string): void {
    this.#text(cleanSpan(content, marks), marks);
  }

  #atom(type: string, attrs?: Attrs): void {
    this.#emptyLink = undefined;
    this.#out.push(atomNode(type, attrs, type === "wikiLink" ? removeMark(this.#marks, "link") : this.#marks));
  }

  #mark(type: string): void {
    const opens = type.endsWith("_open");
    const token = type.slice(0, opens ? -5 : -6);
    const name = MARKS[token] ?? token;
    const depth = (this.#depth[name] ?? 0) + (opens ? 1 : -1);
    this.#depth[name] = depth;
    if (opens && depth === 1) this.#marks = insertMark(this.#marks, { type: name });
    if (!opens && depth === 0) this.#marks = removeMark(this.#marks, name);
  }

  // The address and title of a link or an image.
  #address(token: Token, name: string): Attrs {
    const url = String(token.attrGet(name) ?? "");
    const title = String(token.attrGet("title") ?? "");
    this.#purse.spend(url.length + title.length, this.#line);
    return { [name]: cleanUrl(url), title: cleanLine(title) || null };
  }

  #openLink(token: Token): void {
    const attrs = this.#address(token, "href");
    this.#marks = insertMark(removeMark(this.#marks, "link"), { type: "link", attrs });
    this.#emptyLink = attrs;
    this.#userLink = isUserAddress(attrs.href) ? this.#out.length : -1;
  }

  #closeLink(): void {
    // A link without text cannot be stored: it is shown by its address instead of being lost.
    if (this.#emptyLink) this.#text(String(this.#emptyLink.href));
    this.#emptyLink = undefined;
    this.#marks = removeMark(this.#marks, "link");
    if (this.#userLink >= 0) this.#closeUserLink();
  }

  // A link to a user is a mention by itself; if it is none, its text belongs to the link before.
  #closeUserLink(): void {
    if (this.#out.length === this.#userLink + 1) {
      const [node] = this.#out.splice(this.#userLink);
      const mention = node && mentionOfNode(node);
      if (mention) this.#out.push(mention);
      else if (node?.type === "text") pushText(node.text ?? "", node.marks ?? NO_MARKS, this.#out);
      else if (node) this.#out.push(node);
    }
    this.#userLink = -1;
  }

  #image(token: Token): void {
    const { src = "", title = null } = this.#address(token, "src");
    if (isDataUrl(String(src))) throw inlineImage(this.#line);
    this.#atom("image", { src, alt: cleanLine(plainText(token.children ?? [])) || null, title });
  }

  // A line end within a tag is white space as any other.
  #raw({ info: kind, content }: Token): void {
    const source = rawLine(content);
    this.#hasBlockId ||= kind === "blockId";
    const image = kind === "html" ? imageOfTag(source, (text) => this.#purse.unescape(text)) : undefined;
    if (image === undefined) this.#atom("rawInline", { kind, source });
    else {
      this.#purse.spend(String(image.src).length, this.#line);
      this.#atom("image", image);
    }
    this.#line += content.split("\n").length - 1;
  }
}

/** The error for an image as a `data:` URL. */
export function inlineImage(line: number): CodecError {
  return new CodecError("INLINE_IMAGE", "Images as data: URLs are refused. Upload the image, or link to it.", { line });
}

/** The text of a label without its markup: what an image shows where it cannot be seen. */
function plainText(tokens: readonly Token[]): string {
  let text = "";
  for (const { type, content, children, info } of tokens) {
    if (type.endsWith("break")) text += content || " ";
    else if (type === "image") text += plainText(children ?? []);
    else if (type === "footnote_ref") text += `[^${info}]`;
    else text += content;
  }
  return text;
}
