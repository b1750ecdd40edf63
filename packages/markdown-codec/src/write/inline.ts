import { holdsMath } from "../math.ts";
import { hasMark, isCode, NO_MARKS } from "../normal/marks.ts";
import type { EmojiLookup } from "../syntax/emoji-rule.ts";
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
import { isAlphanumeric, isDisputed, isWhitespace } from "./characters.ts";
import { escapeEverything, escapeLineStart, escapeText, keepLeadingSpace, keepTrailingSpace } from "./escape.ts";
import { type MarkTable, markSteps } from "./marks.ts";

/** Where a line of text stands: paragraphs have several lines, the others one. */
export type InlineKind = "paragraph" | "heading" | "cell";

/** How a line is written. `strict` writes every special character as an entity. */
export interface InlineStyle {
  readonly marks: MarkTable;
  /** The shortcodes that a reader takes for emoji. */
  readonly emojiFor: EmojiLookup;
  readonly strict: boolean;
  /** A line that is not certain is read again. */
  readonly canReadAgain: boolean;
}

/** The lines of a text block. `certain` is false where a delimiter has a neighbour that could spoil it. */
export interface InlineResult {
  readonly lines: string[];
  readonly certain: boolean;
  /** False where readers disagree on what that neighbour is: emoji and symbols. */
  readonly portable: boolean;
}

// Begins with a letter, ends in no space, and nothing in it can be markup.
const BARE = /^[A-Za-z](?:[^\\`*_[\]<&~^=+:!{#$]*[^\s\\`*_[\]<&~^=+:!{#$])?$/;

/** Writes inline nodes in normal form. */
export function writeInline(nodes: readonly NodeJSON[], kind: InlineKind, style: InlineStyle): InlineResult {
  const [only] = nodes;
  const text = nodes.length === 1 && only?.marks === undefined ? only?.text : undefined;
  if (text && BARE.test(text)) return { lines: [text], certain: true, portable: true };
  return new InlineWriter(nodes, kind, style).write();
}

class InlineWriter {
  readonly #nodes: readonly NodeJSON[];
  readonly #kind: InlineKind;
  readonly #style: InlineStyle;
  readonly #lines: string[] = [];
  readonly #hasHighlight: boolean;
  readonly #hasInsert: boolean;
  readonly #escapesDollars: boolean;
  // The output is never read back: V8 would copy it each time. The facts that rules need are kept beside it.
  #line = "";
  #last = "";
  #lineIsReference = false;
  #certain = true;
  #portable = true;
  // The required next character: only then is the delimiter before it unambiguous.
  #expects: ((char: string) => boolean) | undefined;
  readonly #open: MarkJSON[] = [];
  #narrow = 0;
  // True while sub- and superscript hold nothing but letters and digits.
  #isWord = true;

  constructor(nodes: readonly NodeJSON[], kind: InlineKind, style: InlineStyle) {
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
    if (!this.#style.strict && isBareAddress(this.#nodes, index, this.#style.emojiFor)) return node.text;
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
    if (this.#open.length > depth) for (const mark of this.#open.splice(depth).reverse()) this.#closeMark(mark);
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
  #afterNarrow(): (char: string) => boolean {
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
        this.#putWide(writeImage(node, this.#style.emojiFor));
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
        this.#putWide(writeMention(node.attrs ?? {}, this.#style.emojiFor));
        break;
      default:
        this.#writeReference(node);
    }
  }

  // Its neighbours decide how it is read: the output is read again, and separated by empty pairs of tags if necessary.
  // Its neighbours decide how it is read. Where a reader is at hand it is read again; otherwise it is certain beside
  // spaces, and HTML anywhere. If need be it is kept apart by empty pairs of tags.
  #writeRaw(source: string, { isHtml = false, canBeApart = true } = {}): void {
    const { strict, canReadAgain } = this.#style;
    if (strict) {
      const guard = canBeApart ? "<u></u>" : "";
      this.#put(guard + source + guard);
      return;
    }
    if (canReadAgain || !(isHtml || " (".includes(this.#last))) this.#certain = false;
    this.#put(source);
    if (!isHtml) this.#expects = canFollowRaw;
  }

  #writeRawInline({ source, kind }: Attrs): void {
    const isHtml = kind === "html" || kind === "comment";
    this.#writeRaw(String(source), { isHtml, canBeApart: kind !== "blockId" });
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
    // Before a break white space stays: the line ends with the break.
    if (index === this.#nodes.length - 1) text = keepTrailingSpace(text);
    this.#put(text);
  }

  #escape(raw: string, index: number): string {
    return escapeText(raw, {
      inLabel: this.#open.some((mark) => mark.type === "link"),
      inHeading: this.#kind === "heading",
      hasHighlight: this.#hasHighlight,
      hasInsert: this.#hasInsert,
      escapesDollars: this.#escapesDollars,
      emojiFor: this.#style.emojiFor,
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

function usesMark(nodes: readonly NodeJSON[], type: string): boolean {
  return nodes.some(({ marks }) => marks?.some((mark) => mark.type === type));
}

const NOT_IN_WORD = /[^\p{L}\p{N}]/u;
const isSpace = (char: string): boolean => char === " ";
const isEnd = (char: string): boolean => " .,;:?)".includes(char);
// Punctuation beside a delimiter whose other side is a letter says on which side the text lies, to all readers alike.
const OPENS_AFTER = "\"'([-/:;,.>";
const isOuter = (char: string): boolean => /[ !-)\-/:;<>?@[\\\]`{|},.]/.test(char);
const canFollowRaw = (char: string): boolean => " .,;:!?)".includes(char);
// Conditions that a later character of the same line must meet before a delimiter is written.
const WAITS_ON_LINE: ReadonlySet<(char: string) => boolean> = new Set([isInner, isAlphanumeric, isSpace]);
const isOutside = (char: string): boolean => isAlphanumeric(char) || isEnd(char);

// Matches text that may stand inside a delimiter whose outside is a space: no space, no other delimiter, nothing disputed.
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
