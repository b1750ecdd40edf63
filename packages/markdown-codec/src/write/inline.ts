import { hasMark, isCode, NO_MARKS } from "../normal/marks.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { linkEnd, writeAutolink, writeCode, writeImage } from "./atoms.ts";
import { isAlphanumeric, isDisputed, isWhitespace } from "./characters.ts";
import { escapeEverything, escapeLineStart, escapeText, keepLeadingSpace, keepTrailingSpace } from "./escape.ts";
import { type MarkTable, markSteps } from "./marks.ts";

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

// Begins with a letter, ends in no space, and nothing in it can be markup.
const BARE = /^[A-Za-z](?:[^\\`*_[\]<&~^=+:!{#]*[^\s\\`*_[\]<&~^=+:!{#])?$/;

/** Writes inline nodes in normal form. */
export function writeInline(nodes: readonly NodeJSON[], kind: InlineKind, style: InlineStyle): InlineResult {
  const [only] = nodes;
  const isBare = nodes.length === 1 && only?.text && only.marks === undefined && BARE.test(only.text);
  if (isBare) return { lines: [only.text], certain: true, portable: true };
  return new InlineWriter(nodes, kind, style).write();
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
  #expects: ((char: string) => boolean) | undefined;
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
    this.#nodes.forEach((node, index) => {
      const autolink = node.marks || this.#open.length > 0 ? this.#setMarks(node, index) : undefined;
      if (autolink === undefined) this.#writeNode(node, index);
      else this.#putWide(autolink);
    });
    this.#closeTo(0);
    this.#lines.push(this.#line);
    return { lines: this.#lines, certain: this.#certain, portable: this.#portable };
  }

  // Closes and opens marks for the node at `index`. Gives the whole node where it is an autolink.
  #setMarks(node: NodeJSON, index: number): string | undefined {
    const marks = node.marks ?? NO_MARKS;
    const wanted = isCode(marks) ? marks.slice(0, -1) : marks;
    const { keep, missing } = markSteps(this.#open, wanted, this.#nodes, index);
    this.#closeTo(keep);
    const [link] = missing;
    if (missing.length === 1 && link?.type === "link" && !hasMark(this.#nodes[index + 1]?.marks ?? NO_MARKS, link)) {
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
    else {
      const narrow = isNarrow(mark);
      const isFree = this.#last === "" || this.#last === " " || (narrow && isAlphanumeric(this.#last));
      if (this.#narrow > 0 || !isFree) this.#doubt(this.#last);
      this.#put(delimiters.open);
      this.#expects = isInner;
      if (narrow) this.#narrow++;
    }
  }

  #closeTo(depth: number): void {
    for (const mark of this.#open.splice(depth).reverse()) this.#closeMark(mark);
  }

  #closeMark(mark: MarkJSON): void {
    const delimiters = this.#style.marks.get(mark.type);
    if (delimiters === undefined) this.#put(linkEnd(mark));
    else if (delimiters.isTag) this.#put(delimiters.close);
    else {
      const narrow = isNarrow(mark);
      const after = narrow ? isOutside : isAlphanumeric(this.#last) ? isEnd : isSpace;
      if (!isInner(this.#last)) this.#doubt(this.#last);
      this.#put(delimiters.close);
      this.#expects = after;
      if (narrow) this.#narrow--;
    }
  }

  // A delimiter stands beside this character: whether it is one depends on the reader's rules, or even on the reader.
  #doubt(char: string): void {
    this.#certain = false;
    if (isDisputed(char)) this.#portable = false;
  }

  #writeNode(node: NodeJSON, index: number): void {
    switch (node.type) {
      case "text":
        if (isCode(node.marks)) this.#putWide(writeCode(node.text ?? ""));
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
    if (this.#expects === isInner || this.#expects === isSpace) this.#certain = false;
    this.#lines.push(`${this.#line}\\`);
    this.#line = "";
    this.#last = "";
    this.#expects = undefined;
    this.#lineIsReference = false;
  }

  // Inside sub- and superscript only plain words are certain.
  #putWide(text: string): void {
    if (this.#narrow > 0) this.#certain = false;
    this.#put(text);
  }

  #put(text: string): void {
    if (text === "") return;
    if (this.#expects?.(text.charAt(0)) === false) this.#doubt(text.charAt(0));
    this.#expects = undefined;
    this.#line += text;
    this.#last = text.charAt(text.length - 1);
    this.#lineIsReference = false;
  }
}

const isSpace = (char: string): boolean => char === " ";
const isEnd = (char: string): boolean => " .,;:?)".includes(char);
const isOutside = (char: string): boolean => isAlphanumeric(char) || isEnd(char);

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
