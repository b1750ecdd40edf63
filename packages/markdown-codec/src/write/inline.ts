import { holdsMath } from "../math.ts";
import { hasMark, isCode, NO_MARKS } from "../normal/marks.ts";
import type { Attrs, MarkJSON, NodeJSON } from "../types.ts";
import {
  isBareAddress,
  linkEnd,
  writeAutolink,
  writeCode,
  writeImage,
  writeInlineMath,
  writeMention,
} from "./atoms.ts";
import {
  escapeEverything,
  escapeLineStart,
  escapeText,
  holdSigns,
  holdsSpecial,
  keepLeadingSpace,
  keepTrailingSpace,
} from "./escape.ts";
import { Flanks } from "./flanks.ts";
import { type MarkTable, markSteps, usesMark } from "./marks.ts";
import { endsInAddress, isNarrow } from "./neighbours.ts";
import type { InlineKind, ReaderAccess } from "./reader-access.ts";

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

// Begins with a letter or a number that marks no item, ends in no space, and nothing in it can be markup.
const BARE =
  /^(?:[A-Za-z]|\d+(?![\d.)]))(?:[^\\`*_[\]<&~^=+:!{#$]*(?:: [^\\`*_[\]<&~^=+:!{#$]*)*[^\s\\`*_[\]<&~^=+:!{#$])?$/;

/** Writes inline nodes in normal form. */
export function writeInline(
  nodes: readonly NodeJSON[],
  kind: InlineKind,
  style: InlineStyle,
  reader: ReaderAccess,
): InlineResult {
  const [only] = nodes;
  const text = nodes.length === 1 && only?.marks === undefined ? only?.text : undefined;
  if (text && BARE.test(text) && !reader.signs) return { lines: [text], certain: true, portable: true };
  return new InlineWriter(nodes, kind, style, reader).write();
}

class InlineWriter {
  readonly #nodes: readonly NodeJSON[];
  readonly #kind: InlineKind;
  readonly #style: InlineStyle;
  readonly #reader: ReaderAccess;
  readonly #lines: string[] = [];
  readonly #hasHighlight: boolean;
  readonly #hasInsert: boolean;
  readonly #escapesDollars: boolean;
  readonly #flanks: Flanks;
  #line = "";
  // The signs that would make something else of the reference to a footnote before them.
  #afterReference = "";
  readonly #open: MarkJSON[] = [];

  constructor(nodes: readonly NodeJSON[], kind: InlineKind, style: InlineStyle, reader: ReaderAccess) {
    this.#reader = reader;
    this.#flanks = new Flanks(!holdSigns(nodes, reader.signs));
    this.#nodes = nodes;
    this.#kind = kind;
    this.#style = style;
    this.#hasHighlight = usesMark(nodes, "highlight");
    this.#escapesDollars = holdsMath(nodes);
    this.#hasInsert = style.marks.get("underline")?.isTag === false && usesMark(nodes, "underline");
  }

  write(): InlineResult {
    this.#nodes.forEach((node, index) => {
      const autolink = node.marks || this.#open.length > 0 ? this.#setMarks(node, index) : undefined;
      if (autolink === undefined) this.#writeNode(node, index);
      else this.#putWide(autolink);
    });
    this.#closeTo(0);
    this.#lines.push(this.#line);
    this.#flanks.end();
    const { certain, portable } = this.#flanks;
    return { lines: this.#lines, certain, portable };
  }

  // Closes and opens marks for the node at `index`. Returns the whole node where it is an autolink.
  #setMarks(node: NodeJSON, index: number): string | undefined {
    const marks = node.marks ?? NO_MARKS;
    if (marks.length === 0) {
      this.#closeTo(0);
      return undefined;
    }
    const wanted = isCode(marks) ? marks.slice(0, -1) : marks;
    const { keep, missing } = markSteps(this.#open, wanted, this.#nodes, index);
    this.#closeTo(keep);
    const link = missing.find((mark) => mark.type === "link");
    const autolink = link && this.#autolink(node, index, link);
    for (const mark of missing) if (!autolink || mark !== link) this.#openMark(mark);
    return autolink;
  }

  // A link whose text is its address, if nothing else belongs to that link.
  #autolink(node: NodeJSON, index: number, link: MarkJSON): string | undefined {
    if (hasMark(this.#nodes[index + 1]?.marks ?? NO_MARKS, link)) return undefined;
    if (!this.#style.strict && isBareAddress(this.#nodes, index, this.#reader.emojiFor)) return node.text;
    return writeAutolink(node, link);
  }

  #openMark(mark: MarkJSON): void {
    this.#open.push(mark);
    const delimiters = this.#style.marks.get(mark.type);
    if (delimiters === undefined) this.#putWide("[");
    else if (delimiters.isTag) this.#put(delimiters.open);
    else {
      this.#flanks.open(delimiters.open, isNarrow(mark));
      this.#append(delimiters.open);
    }
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
      this.#flanks.close(delimiters.close, isNarrow(mark));
      this.#append(delimiters.close);
    }
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
        this.#putWide(writeImage(node, this.#reader));
        break;
      case "rawInline":
        this.#writeRawInline(node.attrs ?? {});
        break;
      case "wikiLink":
        this.#writeRaw(String(node.attrs?.source));
        break;
      case "inlineMath":
        this.#writeRaw(writeInlineMath(node.attrs ?? {}));
        break;
      case "mention":
        this.#putWide(writeMention(node.attrs ?? {}, this.#reader));
        break;
      default:
        this.#writeReference(node);
    }
  }

  // Its neighbours decide how it is read: it is certain beside spaces, and HTML anywhere. If need be it is kept apart by
  // empty pairs of tags.
  #writeRaw(source: string, { isHtml = false, canBeApart = true } = {}): void {
    if (this.#style.strict) {
      const guard = canBeApart ? "<u></u>" : "";
      this.#put(guard + source + guard);
      return;
    }
    this.#flanks.raw(source, isHtml);
    this.#append(source);
  }

  // Constructs of an integrator need no certain neighbours: a line that has one is read again anyway.
  #writeRawInline({ source, kind }: Attrs): void {
    const isHtml = kind !== "directive" && kind !== "blockId";
    this.#writeRaw(String(source), { isHtml, canBeApart: kind !== "blockId" });
  }

  #writeReference(node: NodeJSON): void {
    // A definition at the beginning of a line, and a link to some readers.
    const signs = this.#line === "" ? ":(" : "(";
    this.#putWide(`[^${node.attrs?.label}]`);
    this.#afterReference = signs;
  }

  #writeText(raw: string, index: number): void {
    this.#flanks.text(raw);
    let text = this.#style.strict ? escapeEverything(raw) : this.#escape(raw, index);
    if (this.#afterReference.includes(text.charAt(0))) text = `\\${text}`;
    if (this.#flanks.last === "") {
      text = keepLeadingSpace(text);
      if (this.#kind === "paragraph" && !this.#style.strict) text = escapeLineStart(text, this.#lines.length > 0);
    }
    // Before a break white space stays: the line ends with the break.
    if (index === this.#nodes.length - 1) text = keepTrailingSpace(text);
    this.#put(text);
  }

  #escape(raw: string, index: number): string {
    const { emojiFor, signs } = this.#reader;
    if (!signs && !holdsSpecial(raw)) return raw;
    return escapeText(raw, {
      inLabel: this.#open.some((mark) => mark.type === "link"),
      inHeading: this.#kind === "heading",
      hasHighlight: this.#hasHighlight,
      hasInsert: this.#hasInsert,
      escapesDollars: this.#escapesDollars,
      emojiFor,
      signs,
      hasNext: index + 1 < this.#nodes.length,
    });
  }

  #writeBreak(index: number): void {
    this.#flanks.wide();
    const before = this.#nodes[index - 1]?.text ?? "";
    // Readers that make links of bare addresses would take the backslash into the address.
    if (this.#kind !== "paragraph" || index === this.#nodes.length - 1 || endsInAddress(before)) {
      this.#put("<br>");
      return;
    }
    this.#flanks.endLine();
    this.#lines.push(`${this.#line}\\`);
    this.#line = "";
    this.#afterReference = "";
  }

  #putWide(text: string): void {
    this.#flanks.wide();
    this.#put(text);
  }

  #put(text: string): void {
    if (text === "") return;
    this.#flanks.pass(text);
    this.#append(text);
  }

  #append(text: string): void {
    this.#line += text;
    this.#afterReference = "";
  }
}
