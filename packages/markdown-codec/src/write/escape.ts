import { type EmojiLookup, emojiAt } from "../syntax/emoji-rule.ts";
import type { NodeJSON } from "../types.ts";
import { entity, isAlphanumeric, isLetter, isWhitespace } from "./characters.ts";

/** The surroundings of a piece of text that its escapes depend on. */
export interface TextPlace extends ReadSigns {
  /** In a link label a `]` would end the label. */
  readonly inLabel: boolean;
  readonly inHeading: boolean;
  /** The block has highlighted text, so that a lone `==` could become its end. */
  readonly hasHighlight: boolean;
  /** The writer uses `++` for underline, and the block has underlined text. */
  readonly hasInsert: boolean;
  /** Two `$` of the block would be the ends of a formula. */
  readonly escapesDollars: boolean;
  /** More follows in the block: a `!` or a `:name` at the end could come to stand before a `[`. */
  readonly hasNext: boolean;
}

// A run of "=" or "+" is judged as a whole.
const SPECIAL = /=+|\++|[\\`*_[\]<&~^:!{#$]/g;
const ANY_SPECIAL = /[=+\\`*_[\]<&~^:!{#$]/;
const NAMED_OR_NUMERIC = /&(?:#|[a-z][a-z0-9]{1,31};)/iy;

/** True for text that has a character which may need an escape. */
export function holdsSpecial(text: string): boolean {
  return ANY_SPECIAL.test(text);
}

/** Text with every character escaped that would be markup where it stands. */
export function escapeText(text: string, place: TextPlace): string {
  const escaped = (sign: string, index: number): string => (needsEscape(text, index, sign, place) ? `\\${sign}` : sign);
  return escapeSigns(text.replace(SPECIAL, escaped), place.signs);
}

function needsEscape(text: string, index: number, sign: string, place: TextPlace): boolean {
  const next = text.charAt(index + 1);
  switch (sign) {
    case "_":
      return !isAlphanumeric(text.charAt(index - 1)) || !isAlphanumeric(next);
    case "]":
      return place.inLabel;
    case "<":
      return next !== " ";
    case "&":
      NAMED_OR_NUMERIC.lastIndex = index;
      return NAMED_OR_NUMERIC.test(text);
    case ":":
      return emojiAt(text, index, place.emojiFor) !== undefined || (place.hasNext && endsInDirectiveName(text, index));
    case "!":
      return next === "" && place.hasNext;
    case "$":
      return place.escapesDollars;
    case "{":
      return place.inHeading && next === "#";
    case "#":
      return place.inHeading && closesHeading(text, index);
    case "==":
      return isActivePair(text, index, place);
    case "++":
      // After a word character it can only be the end of a pair: "C++11" is harmless.
      return place.hasInsert || !isAlphanumeric(text.charAt(index - 1));
    default:
      return !"=+".includes(sign.charAt(0));
  }
}

const DIRECTIVE_NAME = /:[a-z][\w-]*$/y;

// A link may follow whose label has a `]` in code: `:name[` up to that `]` would be a directive.
function endsInDirectiveName(text: string, index: number): boolean {
  DIRECTIVE_NAME.lastIndex = index;
  return DIRECTIVE_NAME.test(text);
}

// "a==," can only be the end of a pair, and is harmless where the block has no beginning of one. Not so beside letters
// other than ASCII: between one of Chinese, Japanese or Korean and punctuation, `cjkFriendly` reads a beginning.
function isActivePair(text: string, index: number, { hasHighlight, hasNext }: TextPlace): boolean {
  const before = text.charAt(index - 1);
  if (hasHighlight || !isAlphanumeric(before)) return true;
  const next = text.charAt(index + 2);
  if (next === "") return hasNext;
  // Not every whitespace: JavaScript and markdown-it have different tables.
  return next !== " " && (before > "\u007f" || !".,;:!?)".includes(next));
}

function closesHeading(text: string, index: number): boolean {
  const before = text.charAt(index - 1);
  return (before === "" || before === " " || before === "\t") && /^#+\s*$/.test(text.slice(index));
}

const BLOCK_START = /^(?:#{1,6}(?=[ \t]|$)|>|-(?![A-Za-z0-9])|\+(?=[ \t]|$)|=|:(?=[-:|\s]|$))/;
const ORDERED_START = /^(\d{1,9})([.)](?=[ \t]|$))/;

/** Escaped text that begins a line: nothing in it begins a block. */
export function escapeLineStart(text: string, isContinuation: boolean): string {
  if (isLetter(text.charCodeAt(0))) return text;
  if (BLOCK_START.test(text) || (isContinuation && text.startsWith("|"))) return `\\${text}`;
  return text.replace(ORDERED_START, "$1\\$2");
}

/** Escaped text whose first character would be cut off as whitespace at the beginning of a line. */
export function keepLeadingSpace(text: string): string {
  return isWhitespace(text.charAt(0)) ? entity(text.charAt(0)) + text.slice(1) : text;
}

/** The same for the end of a line. */
export function keepTrailingSpace(text: string): string {
  const last = text.charAt(text.length - 1);
  return isWhitespace(last) ? text.slice(0, -1) + entity(last) : text;
}

/**
 * Every character but letters, digits and spaces as an entity: nothing is left that could be markup. Controls and what
 * is no character have no entity, and mean nothing.
 */
export function escapeEverything(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{Cc}\p{Cn} ]/gu, entity);
}

const IN_ALT: Omit<TextPlace, keyof ReadSigns> = {
  inLabel: true,
  inHeading: false,
  hasHighlight: true,
  hasInsert: true,
  escapesDollars: true,
  hasNext: false,
};

/** What a reader takes for markup beside the syntax of this package. */
export interface ReadSigns {
  /** The shortcodes that are emoji. */
  readonly emojiFor: EmojiLookup;
  /** Everything in a text that could begin a construct of an integrator (global). */
  readonly signs?: RegExp | undefined;
}

/** The description of an image, which is read as text with its markup taken off: every sign that is any anywhere is escaped. */
export function escapeAlt(alt: string, { emojiFor, signs }: ReadSigns): string {
  return escapeText(alt, { ...IN_ALT, emojiFor, signs });
}

/** True for nodes in which a construct of an integrator could begin: its signs can be partners across nodes. */
export function holdSigns(nodes: readonly NodeJSON[], signs: RegExp | undefined): boolean {
  return signs !== undefined && nodes.some(({ type, text = "" }) => type !== "text" || text.search(signs) !== -1);
}

// Escaped text in which nothing begins a construct of an integrator.
function escapeSigns(text: string, signs: RegExp | undefined): string {
  return signs ? text.replace(signs, "\\$&") : text;
}

/** A URL between parentheses: bare where it can be, in angle brackets otherwise. */
export function writeUrl(url: string, hasTitle: boolean): string {
  if (url === "") return hasTitle ? "<>" : "";
  if (!/[\s<>()\\&\p{Cc}]/u.test(url)) return url;
  return `<${url.replace(/[\\<>&]/g, "\\$&")}>`;
}

/** ` "title"`, or nothing. */
export function writeTitle(title: unknown): string {
  return typeof title === "string" && title !== "" ? ` "${title.replace(/[\\"&]/g, "\\$&")}"` : "";
}

/** A finished cell: every pipe gets one backslash, which the reader takes away again, in code and URLs too. */
export function escapePipes(cell: string): string {
  return cell.includes("|") ? cell.replaceAll("|", "\\|") : cell;
}
