import { NO_MARKS, sameMark } from "../normal/marks.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { linkEnd, writeAutolink, writeCode, writeImage } from "./atoms.ts";
import { isAlphanumeric, isDisputed, isWhitespace } from "./characters.ts";
import { escapeEverything, escapeLineStart, escapeText, keepLeadingSpace, keepTrailingSpace } from "./escape.ts";
import { type Delimiters, type MarkTable, markExtents } from "./marks.ts";

/** Where a line of text stands: paragraphs have several lines, the others one. */
export type InlineKind = "paragraph" | "heading" | "cell";

/** How a line is written. `strict` writes every special character as an entity. */
export interface InlineStyle {
  readonly marks: MarkTable;
  readonly strict: boolean;
}

/** The lines of a text block. `certain` is false where a delimiter has a neighbour that could spoil it. */
export interface InlineResult {
  readonly lines: string[];
  readonly certain: boolean;
  /** False where readers disagree on what that neighbour is: emoji and symbols. */
  readonly portable: boolean;
}

/** Writes inline nodes in normal form. */
export function writeInline(nodes: readonly NodeJSON[], kind: InlineKind, style: InlineStyle): InlineResult {
  const writer = new InlineWriter(nodes, kind, style);
  return writer.write();
}

class InlineWriter {
  readonly #nodes: readonly NodeJSON[];
  readonly #kind: InlineKind;
  readonly #style: InlineStyle;
  readonly #lines: string[] = [];
  readonly #hasHighlight: boolean;
  readonly #hasInsert: boolean;
  // The output is never read back: V8 would copy it each time. What the rules ask for is kept beside it.
  #line = "";
  #last = "";
  #lineIsReference = false;
  #certain = true;
  #portable = true;
  // What the next character has to be for the delimiter before it to be certain.
  #expects: "anything" | "inner" | "end" | "space" | "other" = "anything";
  readonly #open: MarkJSON[] = [];
  #narrow = 0;

  constructor(nodes: readonly NodeJSON[], kind: InlineKind, style: InlineStyle) {
    this.#nodes = nodes;
    this.#kind = kind;
    this.#style = style;
    const uses = (name: string): boolean => nodes.some((node) => node.marks?.some((mark) => mark.type === name));
    this.#hasHighlight = uses("highlight");
    this.#hasInsert = style.marks.get("underline")?.isTag === false && uses("underline");
  }

  write(): InlineResult {
    const marked = this.#nodes.some((node) => node.marks !== undefined);
    const extents = marked ? markExtents(this.#nodes) : [];
    this.#nodes.forEach((node, index) => {
      const links = marked ? this.#setMarks(node, index, extents) : undefined;
      if (links !== undefined) this.#putWide(links);
      else this.#writeNode(node, index);
    });
    this.#closeTo(0);
    this.#lines.push(this.#line);
    return { lines: this.#lines, certain: this.#certain, portable: this.#portable };
  }

  // Closes and opens marks for the node at `index`. Gives the whole node where it is an autolink.
  #setMarks(node: NodeJSON, index: number, extents: readonly ReadonlyMap<MarkJSON, number>[]): string | undefined {
    const wanted = (node.marks ?? NO_MARKS).filter((mark) => mark.type !== "code");
    let keep = 0;
    for (const mark of this.#open) {
      if (!wanted.some((other) => sameMark(mark, other))) break;
      keep++;
    }
    this.#closeTo(keep);
    const missing = wanted.filter((mark) => !this.#open.some((other) => sameMark(mark, other)));
    const extent = (mark: MarkJSON): number => extents[index]?.get(mark) ?? 0;
    // The sort is stable: on ties the rank decides, and a link comes first.
    missing.sort((a, b) => extent(b) - extent(a));
    const [link] = missing;
    if (missing.length === 1 && link?.type === "link" && extent(link) === index + 1) {
      const autolink = writeAutolink(node, link);
      if (autolink !== undefined) return autolink;
    }
    for (const mark of missing) this.#openMark(mark);
    return undefined;
  }

  #openMark(mark: MarkJSON): void {
    this.#open.push(mark);
    const delimiters = this.#style.marks.get(mark.type);
    if (delimiters === undefined) this.#putWide("[");
    else if (delimiters.isTag) this.#put(delimiters.open);
    else this.#openDelimiter(delimiters, isNarrow(mark));
  }

  #openDelimiter(delimiters: Delimiters, narrow: boolean): void {
    const free = narrow ? isAlphanumeric(this.#last) : false;
    if (this.#narrow > 0 || !(free || this.#last === "" || this.#last === " ")) this.#certain = false;
    if (isDisputed(this.#last)) this.#portable = false;
    this.#put(delimiters.open);
    this.#expects = "inner";
    if (narrow) this.#narrow++;
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) {
      const mark = this.#open.pop();
      if (mark !== undefined) this.#closeMark(mark);
    }
  }

  #closeMark(mark: MarkJSON): void {
    const delimiters = this.#style.marks.get(mark.type);
    if (delimiters === undefined) this.#put(linkEnd(mark));
    else if (delimiters.isTag) this.#put(delimiters.close);
    else {
      if (!isInner(this.#last)) this.#certain = false;
      const after = isAlphanumeric(this.#last) ? "end" : "space";
      if (isDisputed(this.#last)) this.#portable = false;
      this.#put(delimiters.close);
      this.#expects = isNarrow(mark) ? "other" : after;
      if (isNarrow(mark)) this.#narrow--;
    }
  }

  #writeNode(node: NodeJSON, index: number): void {
    switch (node.type) {
      case "text":
        if (node.marks?.some((mark) => mark.type === "code")) this.#putWide(writeCode(node.text ?? ""));
        else this.#writeText(node.text ?? "", index);
        break;
      case "hardBreak":
        this.#writeBreak(index);
        break;
      case "image":
        this.#putWide(writeImage(node));
        break;
      default:
        this.#writeReference(node);
    }
  }

  #writeReference(node: NodeJSON): void {
    const isFirst = this.#line === "";
    this.#putWide(`[^${node.attrs?.label}]`);
    this.#lineIsReference = isFirst;
  }

  #writeText(raw: string, index: number): void {
    if (this.#narrow > 0 && /\s/.test(raw)) this.#certain = false;
    const { strict } = this.#style;
    let text = strict ? escapeEverything(raw) : this.#escape(raw, index);
    if (this.#lineIsReference && text.startsWith(":")) text = `\\${text}`;
    if (this.#last === "") {
      text = keepLeadingSpace(text);
      if (this.#kind === "paragraph" && !strict) text = escapeLineStart(text, this.#lines.length > 0);
    }
    if (this.#endsLine(index)) text = keepTrailingSpace(text);
    this.#put(text);
  }

  #escape(raw: string, index: number): string {
    return escapeText(raw, {
      inLabel: this.#open.some((mark) => mark.type === "link"),
      inHeading: this.#kind === "heading",
      hasHighlight: this.#hasHighlight,
      hasInsert: this.#hasInsert,
      hasNext: index + 1 < this.#nodes.length,
    });
  }

  // True where nothing more comes on the line: no text, no mark that stays open.
  #endsLine(index: number): boolean {
    const next = this.#nodes[index + 1];
    return next === undefined || next.type === "hardBreak";
  }

  #writeBreak(index: number): void {
    if (this.#narrow > 0) this.#certain = false;
    const before = this.#nodes[index - 1]?.text ?? "";
    // Readers that make links of bare addresses would take the backslash into the address.
    if (this.#kind !== "paragraph" || index === this.#nodes.length - 1 || endsInAddress(before)) {
      this.#put("<br>");
      return;
    }
    if (this.#expects === "inner" || this.#expects === "space") this.#certain = false;
    this.#lines.push(`${this.#line}\\`);
    this.#line = "";
    this.#last = "";
    this.#expects = "anything";
    this.#lineIsReference = false;
  }

  // Inside sub- and superscript only plain words are certain.
  #putWide(text: string): void {
    if (this.#narrow > 0) this.#certain = false;
    this.#put(text);
  }

  #put(text: string): void {
    if (text === "") return;
    if (this.#expects !== "anything" && !this.#isExpected(text.charAt(0))) {
      this.#certain = false;
      if (isDisputed(text.charAt(0))) this.#portable = false;
    }
    this.#expects = "anything";
    this.#line += text;
    this.#last = text.charAt(text.length - 1);
    this.#lineIsReference = false;
  }

  #isExpected(char: string): boolean {
    if (this.#expects === "inner") return isInner(char);
    if (this.#expects === "space") return char === " ";
    if (this.#expects === "other") return isAlphanumeric(char) || " .,;:?)".includes(char);
    return " .,;:?)".includes(char);
  }
}

// What may stand inside of a delimiter whose outside is a space: no space, no other delimiter, nothing disputed.
function isInner(char: string): boolean {
  if (char === "" || isWhitespace(char) || "*_~=^+".includes(char)) return false;
  return char.charCodeAt(0) < 128 || isAlphanumeric(char);
}

// Looks at the last word only: a pattern with "$" would be tried at every character.
function endsInAddress(text: string): boolean {
  const word = text.slice(text.lastIndexOf(" ") + 1);
  return word.includes("://") || word.includes("www.") || word.includes("@");
}

function isNarrow(mark: MarkJSON): boolean {
  return mark.type === "subscript" || mark.type === "superscript";
}
