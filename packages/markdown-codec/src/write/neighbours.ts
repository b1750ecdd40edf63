import { mayHoldAddress } from "../bare-addresses.ts";
import type { MarkJSON } from "../types.ts";
import { isAlphanumeric, isWhitespace } from "./characters.ts";

/** A condition for the character beside a delimiter. */
export type NeighbourRule = (char: string) => boolean;

/** A character that is no part of a word. */
export const NOT_IN_WORD: RegExp = /[^\p{L}\p{N}]/u;
/** Punctuation beside a delimiter whose other side is a letter: all readers take it alike for the outer side. */
export const OPENS_AFTER = "\"'([-/:;,.>";

/** True for a space. */
export const isSpace: NeighbourRule = (char) => char === " ";
/** True for what ends a word. */
export const isEnd: NeighbourRule = (char) => " .,;:?)".includes(char);
/** True for what may follow a delimiter that closes after a letter. */
export const isOuter: NeighbourRule = (char) => /[ !-)\-/:;<>?@[\\\]`{|},.]/.test(char);
/** True for what may follow a raw construct. */
export const canFollowRaw: NeighbourRule = (char) => " .,;:!?)".includes(char);
/** True for what may follow sub- and superscript that hold a word. */
export const isOutside: NeighbourRule = (char) => isAlphanumeric(char) || isEnd(char);

/** True for what may stand inside a delimiter whose outside is a space: no space, no other delimiter, nothing disputed. */
export function isInner(char: string): boolean {
  if (char === "" || isWhitespace(char) || "*_~=^+".includes(char)) return false;
  return char.charCodeAt(0) < 128 || isAlphanumeric(char);
}

/** Conditions that a later character of the same line must meet before a delimiter is written. */
export const WAITS_ON_LINE: ReadonlySet<NeighbourRule> = new Set([isInner, isAlphanumeric, isSpace]);

/** True for text whose last word may be an address. A pattern with "$" would be tried at every character. */
export const endsInAddress = (text: string): boolean => mayHoldAddress(text.slice(text.lastIndexOf(" ") + 1));

/** True for a mark that is one sign on both sides, and holds no space. */
export const isNarrow = ({ type }: MarkJSON): boolean => type === "subscript" || type === "superscript";
