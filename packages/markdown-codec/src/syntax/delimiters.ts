import type { Delimiter, StateInline } from "markdown-it";

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

// Where the current word ends, and what its earlier markers left open.
interface Word {
  posMax: number;
  end: number;
  subOpen: boolean;
  supOpen: boolean;
  nextTilde: number;
  nextCaret: number;
}
const words = new WeakMap<StateInline, Word>();

function isWordEnd(code: number): boolean {
  return (
    (code >= 9 && code <= 13) || code === 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || isRareSpace(code)
  );
}

function isRareSpace(code: number): boolean {
  return (
    code === 0x1680 ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

function wordAt(state: StateInline): Word {
  const known = words.get(state);
  if (known !== undefined && known.posMax === state.posMax && state.pos < known.end) return known;
  let end = state.pos;
  while (end < state.posMax && !isWordEnd(state.src.charCodeAt(end))) end++;
  const word = { posMax: state.posMax, end, subOpen: false, supOpen: false, nextTilde: -1, nextCaret: -1 };
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
  const word = wordAt(state);
  return marker === TILDE ? singleTilde(state, word) : singleCaret(state, word);
}

function singleTilde(state: StateInline, word: Word): boolean {
  if (word.subOpen) {
    word.subOpen = false;
    return pushDelimiter(state, SUB, 1, false, true);
  }
  if (word.nextTilde <= state.pos) word.nextTilde = nextSingle(state.src, TILDE, state.pos + 1, word.end);
  if (word.nextTilde >= word.end) return takeAsText(state, 1);
  word.subOpen = true;
  return pushDelimiter(state, SUB, 1, true, false);
}

function singleCaret(state: StateInline, word: Word): boolean {
  if (word.supOpen) {
    word.supOpen = false;
    return pushDelimiter(state, SUP, 1, false, true);
  }
  if (word.nextCaret <= state.pos) word.nextCaret = nextSingle(state.src, CARET, state.pos + 1, word.end);
  if (word.nextCaret >= word.end) return takeAsText(state, 1);
  word.supOpen = true;
  return pushDelimiter(state, SUP, 1, true, false);
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
