import type { Delimiter, StateInline, Token } from "markdown-it";
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

// Asked of the source, never of `pending`: V8 would copy that growing string each time.
function isEscaped(src: string, pos: number): boolean {
  let start = pos;
  while (src.charCodeAt(start - 1) === 0x5c) start--;
  return (pos - start) % 2 === 1;
}

/**
 * `~sub~` and `^sup^`: a single character on both sides, no whitespace inside. Which of them are partners is for
 * `pairs` to say.
 */
export function single(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const marker = src.charCodeAt(pos);
  if (silent || (marker !== TILDE && marker !== CARET)) return false;
  const length = runLength(state, marker);
  if (length > 1 || src.charCodeAt(pos - 1) === marker) {
    return marker === CARET ? takeAsText(state, length) : false;
  }
  // The caret of a reference to a footnote that nobody defined is text.
  if (marker === CARET && labelEnd(src, pos - 1, posMax) !== -1 && !isEscaped(src, pos - 1))
    return takeAsText(state, 1);
  return pushDelimiter(state, marker === TILDE ? SUB : SUP, 1, false, false);
}

function hasSpace(tokens: readonly Token[], start: number, end: number): boolean {
  return tokens.slice(start, end).some(({ type, content }) => type.endsWith("break") || /\s/.test(content));
}

// The markers of one word open and close in turn: "10^5 and 10^6^" raises the 6 only.
function pairSingles(state: StateInline, delimiters: readonly Delimiter[]): void {
  const open = new Map<number, Delimiter>();
  delimiters.forEach((delimiter, index) => {
    const { marker, token } = delimiter;
    if (marker !== SUB && marker !== SUP) return;
    const opener = open.get(marker);
    if (opener === undefined || hasSpace(state.tokens, opener.token + 1, token)) open.set(marker, delimiter);
    else {
      opener.end = index;
      open.delete(marker);
    }
  });
}

function replacePairs(state: StateInline, delimiters: readonly Delimiter[]): void {
  pairSingles(state, delimiters);
  for (const start of delimiters) {
    const type = TYPES.get(start.marker);
    const opener = state.tokens[start.token];
    const closer = state.tokens[delimiters[start.end]?.token ?? -1];
    if (type === undefined || opener === undefined || closer === undefined) continue;
    Object.assign(opener, { type: `${type}_open`, nesting: 1, content: "" });
    Object.assign(closer, { type: `${type}_close`, nesting: -1, content: "" });
  }
}

/** Turns the pairs that `balance_pairs` found, and those of single characters, into opening and closing tokens. */
export function pairs(state: StateInline): boolean {
  replacePairs(state, state.delimiters);
  for (const meta of state.tokens_meta) if (meta?.delimiters) replacePairs(state, meta.delimiters);
  return true;
}
