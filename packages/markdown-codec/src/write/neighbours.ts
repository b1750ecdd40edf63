import { mayHoldAddress } from "../bare-addresses.ts";
import type { MarkJSON } from "../types.ts";
import { isAlphanumeric, isDisputed } from "./characters.ts";

/** A condition for the character beside a delimiter. */
export type NeighbourRule = (char: string) => boolean;

/** A character that is no part of a word. */
export const NOT_IN_WORD: RegExp = /[^\p{L}\p{N}]/u;

// Beside one of these a delimiter could become another one.
const DELIMITERS = "*_~=^+";
// All other punctuation of ASCII, and beyond it what every reader takes for punctuation: no symbols, and not the signs of
// Balinese that are punctuation only since Unicode 16.
const SIGN = /(?![*_\u1b4e\u1b4f\u1b7f])[\p{P}$<>`|]/u;

/** True for what ends a word. */
export const isEnd: NeighbourRule = (char) => " .,;:?)".includes(char);
/** True for what may stand outside of a delimiter whose inside is a letter or a digit. */
export const isBesideWord: NeighbourRule = (char) => !DELIMITERS.includes(char) && !isDisputed(char);
/** True for what may stand outside of a delimiter whose inside is punctuation; the beginning of a line may, too. */
export const isBesideSign: NeighbourRule = (char) => char === " " || SIGN.test(char);
/** True for what may follow a raw construct. */
export const canFollowRaw: NeighbourRule = (char) => " .,;:!?)".includes(char);
/** True for what may follow sub- and superscript that hold a word. */
export const isOutside: NeighbourRule = (char) => isAlphanumeric(char) || isEnd(char);

/** True for what may stand inside a delimiter whose outside is a space: a word or punctuation, but no other delimiter. */
export const isInner: NeighbourRule = (char) => isAlphanumeric(char) || SIGN.test(char);

/** True for text whose last word may be an address. A pattern with "$" would be tried at every character. */
export const endsInAddress = (text: string): boolean => mayHoldAddress(text.slice(text.lastIndexOf(" ") + 1));

/** True for a mark that is one sign on both sides, and holds no space. */
export const isNarrow = ({ type }: MarkJSON): boolean => type === "subscript" || type === "superscript";
