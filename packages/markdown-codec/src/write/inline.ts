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
import { isAlphanumeric, isDisputed } from "./characters.ts";
import {
  escapeEverything,
  escapeLineStart,
  escapeText,
  holdSigns,
  holdsSpecial,
  keepLeadingSpace,
  keepTrailingSpace,
} from "./escape.ts";
import { type MarkTable, markSteps, usesMark } from "./marks.ts";
import {
  canFollowRaw,
  endsInAddress,
  isEnd,
  isInner,
  isNarrow,
  isOuter,
  isOutside,
  isSpace,
  type NeighbourRule,
  NOT_IN_WORD,
  OPENS_AFTER,
  WAITS_ON_LINE,
} from "./neighbours.ts";
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
  // The output is never read back: V8 would copy it each time. The facts that rules need are kept beside it.
  #line = "";
  #last = "";
  #lineIsReference = false;
  #certain: boolean;
  #portable = true;
  // The required next character: only then is the delimiter before it unambiguous.
  #expects: NeighbourRule | undefined;
  readonly #open: MarkJSON[] = [];
  #narrow = 0;
  // True while sub- and superscript hold nothing but letters and digits.
  #isWord = true;

  constructor(nodes: readonly NodeJSON[], kind: InlineKind, style: InlineStyle, reader: ReaderAccess) {
    this.#reader = reader;
    this.#certain = !holdSigns(nodes, reader.signs);
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
    return { lines: this.#lines, certain: this.#certain, portable: this.#portable };
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
      const narrow = isNarrow(mark);
      const isFree = this.#last === "" || this.#last === " ";
      const isPossible = narrow ? isAlphanumeric(this.#last) : OPENS_AFTER.includes(this.#last);
      if (this.#narrow > 0 || !(isFree || isPossible)) this.#doubt(this.#last);
      this.#put(delimiters.open);
      this.#expects = narrow || !isFree ? isAlphanumeric : isInner;
      if (narrow && this.#narrow++ === 0) this.#isWord = true;
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
      const narrow = isNarrow(mark);
      const after = narrow ? this.#afterNarrow() : isAlphanumeric(this.#last) ? isOuter : isSpace;
      if (!isInner(this.#last)) this.#doubt(this.#last);
      this.#put(delimiters.close);
      this.#expects = after;
      if (narrow) this.#narrow--;
    }
  }

  // A word may follow sub- and superscript where these hold a word themselves.
  #afterNarrow(): NeighbourRule {
    return this.#isWord ? isOutside : isEnd;
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

  // Its neighbours decide how it is read. Where a reader is at hand it is read again; otherwise it is certain beside
  // spaces, and HTML anywhere. If need be it is kept apart by empty pairs of tags.
  #writeRaw(source: string, { isHtml = false, canBeApart = true } = {}): void {
    if (this.#style.strict) {
      const guard = canBeApart ? "<u></u>" : "";
      this.#put(guard + source + guard);
      return;
    }
    if (this.#reader.readsAs || !(isHtml || " (".includes(this.#last))) this.#certain = false;
    this.#put(source);
    if (!isHtml) this.#expects = canFollowRaw;
  }

  // Constructs of an integrator need no certain neighbours: a line that has one is read again anyway.
  #writeRawInline({ source, kind }: Attrs): void {
    const isHtml = kind !== "directive" && kind !== "blockId";
    this.#writeRaw(String(source), { isHtml, canBeApart: kind !== "blockId" });
  }

  #writeReference(node: NodeJSON): void {
    const isFirst = this.#line === "";
    this.#putWide(`[^${node.attrs?.label}]`);
    this.#lineIsReference = isFirst;
  }

  #writeText(raw: string, index: number): void {
    // Delimiters in an address are text.
    if (raw.includes("://") || (this.#narrow > 0 && /\s/.test(raw))) this.#certain = false;
    let text = this.#style.strict ? escapeEverything(raw) : this.#escape(raw, index);
    if (this.#lineIsReference && text.startsWith(":")) text = `\\${text}`;
    if (this.#last === "") {
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
    if (this.#narrow > 0) this.#certain = false;
    const before = this.#nodes[index - 1]?.text ?? "";
    // Readers that make links of bare addresses would take the backslash into the address.
    if (this.#kind !== "paragraph" || index === this.#nodes.length - 1 || endsInAddress(before)) {
      this.#put("<br>");
      return;
    }
    if (this.#expects !== undefined && WAITS_ON_LINE.has(this.#expects)) this.#certain = false;
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
    if (this.#narrow > 0 && NOT_IN_WORD.test(text)) this.#isWord = false;
    this.#line += text;
    this.#last = text.charAt(text.length - 1);
    this.#lineIsReference = false;
  }
}
