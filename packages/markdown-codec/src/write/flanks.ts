import { mayHoldAddress } from "../bare-addresses.ts";
import { isAlphanumeric, isDisputed } from "./characters.ts";
import {
  canFollowRaw,
  isBesideSign,
  isBesideWord,
  isEnd,
  isInner,
  isOutside,
  type NeighbourRule,
  NOT_IN_WORD,
} from "./neighbours.ts";

/**
 * Follows a text block while it is written and tells whether its delimiters are read as such: a delimiter depends on the
 * characters on both of its sides. The output is never read back (V8 would copy it each time): what rules need is kept here.
 */
export class Flanks {
  /** False where a delimiter has a neighbour that could spoil it: such a line has to be read again. */
  certain: boolean;
  /** False where some reader takes the delimiters for text. */
  portable = true;
  /** The last character of the line so far; empty at its beginning. */
  last = "";
  // The required next character: only then is the delimiter before it unambiguous.
  #expects: NeighbourRule | undefined;
  #narrow = 0;
  // True while sub- and superscript hold nothing but letters and digits.
  #isWord = true;
  #hasSigns = false;
  #hasAddress = false;

  constructor(certain: boolean) {
    this.certain = certain;
  }

  /** The text that is written next. */
  pass(text: string): void {
    const first = text.charAt(0);
    if (this.#expects?.(first) === false) this.#doubt(first);
    this.#expects = undefined;
    if (this.#narrow > 0 && NOT_IN_WORD.test(text)) this.#isWord = false;
    this.last = text.charAt(text.length - 1);
  }

  /** A sign that begins a mark; a narrow one is that of sub- or superscript. */
  open(sign: string, isNarrow: boolean): void {
    const { last } = this;
    const isWord = isAlphanumeric(last);
    const isFree = last === "" || isBesideSign(last);
    const isPossible = last === "" || (isNarrow ? isWord || last === " " : isBesideWord(last));
    // "C++" opens nothing.
    if (this.#narrow > 0 || !isPossible || (isWord && sign === "++")) this.#doubt(last);
    this.pass(sign);
    this.#expects = isFree && !isNarrow ? isInner : isAlphanumeric;
    this.#hasSigns = true;
    if (isNarrow && this.#narrow++ === 0) this.#isWord = true;
  }

  /** A sign that ends a mark. */
  close(sign: string, isNarrow: boolean): void {
    const { last } = this;
    const outside = isAlphanumeric(last) ? isBesideWord : isBesideSign;
    // A word may follow sub- and superscript where these hold a word themselves.
    const after = isNarrow ? (this.#isWord ? isOutside : isEnd) : outside;
    if (!isInner(last)) this.#doubt(last);
    this.pass(sign);
    this.#expects = after;
    if (isNarrow) this.#narrow--;
  }

  /** The source of a construct whose neighbours decide how it is read; HTML is read anywhere. */
  raw(source: string, isHtml: boolean): void {
    if (!isHtml && !" (".includes(this.last)) this.certain = false;
    this.wide();
    this.pass(source);
    if (!isHtml) this.#expects = canFollowRaw;
  }

  /** Text before it is escaped. Delimiters in an address are text, and beside a delimiter an address may begin or go on. */
  text(raw: string): void {
    this.#hasAddress ||= mayHoldAddress(raw);
    if (raw.includes("://") || (this.#narrow > 0 && /\s/.test(raw))) this.certain = false;
  }

  /** Anything but text: inside sub- and superscript only plain words are certain. */
  wide(): void {
    if (this.#narrow > 0) this.certain = false;
  }

  /** A backslash and the end of the line. */
  endLine(): void {
    this.pass("\\");
    this.last = "";
  }

  /** The end of the block. */
  end(): void {
    if (this.#hasSigns && this.#hasAddress) this.certain = false;
  }

  // A delimiter stands beside this character: whether it is one depends on the reader's rules, or even on the reader.
  #doubt(char: string): void {
    this.certain = false;
    if (isDisputed(char)) this.portable = false;
  }
}
