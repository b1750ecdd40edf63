import type { Delimiter, StateInline } from "markdown-it";
import { labelEnd } from "./footnote.ts";

const TILDE = 0x7e;
const CARET = 0x5e;
// Sub- and superscript share characters with strikethrough and footnotes: their own codes keep the pairs apart.
const SUB = 0xe07e;
const SUP = 0xe05e;

const TYPES = new Map([
  [0x3d, "highlight"],
  [0x2b, "underline"],
  [SUB, "subscript"],
  [SUP, "superscript"],
]);

function runLength(state: StateInline, marker: number): number {
  let end = state.pos;
  while (end < state.posMax && state.src.charCodeAt(end) === marker) end++;
  return end - state.pos;
}

function takeAsText(state: StateInline, length: number): boolean {
  state.pending += state.src.slice(state.pos, state.pos + length);
  state.pos += length;
  return true;
}

function pushDelimiter(state: StateInline, marker: number, length: number, open: boolean, close: boolean): boolean {
  state.push("text", "", 0).content = state.src.slice(state.pos, state.pos + length);
  state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open, close });
  state.pos += length;
  return true;
}

/** `==highlight==` and `++underline++`: runs of exactly two, with the flanking rules of emphasis. */
export function doubled(state: StateInline, silent: boolean): boolean {
  const marker = state.src.charCodeAt(state.pos);
  if (silent || (marker !== 0x3d && marker !== 0x2b)) return false;
  const length = runLength(state, marker);
  if (length !== 2 || state.src.charCodeAt(state.pos - 1) === marker) return takeAsText(state, length);
  const { can_open, can_close } = state.scanDelims(state.pos, true);
  return pushDelimiter(state, marker, 2, can_open, can_close);
}

// Where the current word ends, and for each marker whether it is open, and where it stands next.
interface Word {
  readonly posMax: number;
  readonly end: number;
  readonly isOpen: { [marker: number]: boolean };
  readonly next: { [marker: number]: number };
}
const words = new WeakMap<StateInline, Word>();
const WORD_END = /\s/;

function wordAt(state: StateInline): Word {
  const known = words.get(state);
  if (known !== undefined && known.posMax === state.posMax && state.pos < known.end) return known;
  let end = state.pos;
  while (end < state.posMax && !WORD_END.test(state.src.charAt(end))) end++;
  const word = { posMax: state.posMax, end, isOpen: {}, next: {} };
  words.set(state, word);
  return word;
}

// The next place after `from` where the marker stands alone and is not escaped; beyond the word it does not matter.
function nextSingle(src: string, marker: number, from: number, end: number): number {
  for (let pos = from; pos < end; pos++) {
    const code = src.charCodeAt(pos);
    if (code === 0x5c) pos++;
    else if (code === marker) {
      if (src.charCodeAt(pos + 1) !== marker) return pos;
      while (src.charCodeAt(pos + 1) === marker) pos++;
    }
  }
  return end;
}

/**
 * `~sub~` and `^sup^`: a single character on both sides, no whitespace inside. Markers of one word open and close in
 * turn, so that `10^5 and 10^6^` raises the 6 only.
 */
export function single(state: StateInline, silent: boolean): boolean {
  const marker = state.src.charCodeAt(state.pos);
  if (silent || (marker !== TILDE && marker !== CARET)) return false;
  const length = runLength(state, marker);
  if (length > 1 || state.src.charCodeAt(state.pos - 1) === marker) {
    return marker === CARET ? takeAsText(state, length) : false;
  }
  // The caret of a reference to a footnote that nobody defined is text.
  const isReference =
    marker === CARET && state.pending.endsWith("[") && labelEnd(state.src, state.pos - 1, state.posMax) !== -1;
  if (isReference) return takeAsText(state, 1);
  const word = wordAt(state);
  const code = marker === TILDE ? SUB : SUP;
  if (word.isOpen[marker]) {
    word.isOpen[marker] = false;
    return pushDelimiter(state, code, 1, false, true);
  }
  const known = word.next[marker] ?? -1;
  const next = known > state.pos ? known : nextSingle(state.src, marker, state.pos + 1, word.end);
  word.next[marker] = next;
  if (next >= word.end) return takeAsText(state, 1);
  word.isOpen[marker] = true;
  return pushDelimiter(state, code, 1, true, false);
}

function replacePairs(state: StateInline, delimiters: readonly Delimiter[]): void {
  for (const start of delimiters) {
    const type = TYPES.get(start.marker);
    const end = delimiters[start.end];
    if (type === undefined || end === undefined) continue;
    const opener = state.tokens[start.token];
    const closer = state.tokens[end.token];
    if (opener === undefined || closer === undefined) continue;
    Object.assign(opener, { type: `${type}_open`, nesting: 1, content: "" });
    Object.assign(closer, { type: `${type}_close`, nesting: -1, content: "" });
  }
}

/** Turns the pairs that `balance_pairs` found into opening and closing tokens. */
export function pairs(state: StateInline): boolean {
  replacePairs(state, state.delimiters);
  for (const meta of state.tokens_meta) if (meta?.delimiters) replacePairs(state, meta.delimiters);
  return true;
}
