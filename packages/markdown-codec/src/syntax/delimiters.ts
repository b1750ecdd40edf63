import type { Delimiter, StateInline, Token } from "markdown-it";
import { labelEnd } from "./footnote.ts";

const TILDE = 0x7e;
const CARET = 0x5e;
const EQUALS = 0x3d;
const PLUS = 0x2b;
// Sub- and superscript share characters with strikethrough and footnotes: their own codes keep the pairs apart.
const SUB = 0xe07e;
const SUP = 0xe05e;

const TYPES = new Map([
  [EQUALS, "highlight"],
  [PLUS, "underline"],
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

const WORD = /[\p{L}\p{N}_]/u;

/**
 * `==highlight==` and `++underline++`: runs of exactly two, with the flanking rules of emphasis. A `++` after a word
 * character opens nothing: "C++11 and C++14" are names.
 */
export function doubled(state: StateInline, silent: boolean): boolean {
  const marker = state.src.charCodeAt(state.pos);
  if (silent || (marker !== EQUALS && marker !== PLUS)) return false;
  const length = runLength(state, marker);
  if (length !== 2 || state.src.charCodeAt(state.pos - 1) === marker) return takeAsText(state, length);
  const { can_open, can_close } = state.scanDelims(state.pos, true);
  const isSuffix = marker === PLUS && WORD.test(state.src.charAt(state.pos - 1));
  return pushDelimiter(state, marker, 2, can_open && !isSuffix, can_close);
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
export function subOrSup(state: StateInline, silent: boolean): boolean {
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

const WHITESPACE = /\s/;
const NOT_IN_WORD = /[^\p{L}\p{N}]/u;
const STARTS_WORD = /^[\p{L}\p{N}]/u;

/** A marker of sub- or superscript that waits for its partner. */
interface Waiting {
  readonly delimiter: Delimiter;
  readonly index: number;
}

// A range within a pair that is matched already, or at the top: no marker in it has a partner outside.
interface Scope {
  readonly end: number;
  readonly waiting: Map<number, Waiting>;
}

/**
 * Pairs the markers of sub- and superscript. Those of one word open and close in turn: "10^5 and 10^6^" raises the 6
 * only. Pairs nest: a marker whose partner lies within another pair is text.
 */
class SinglePairs {
  readonly #tokens: readonly Token[];
  readonly #outer: Scope[] = [];
  #scope: Scope = { end: -1, waiting: new Map() };
  // The last tokens so far that hold a space, and that are not part of a word.
  #seen = 0;
  #space = -1;
  #break = -1;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  add(delimiter: Delimiter, index: number): void {
    this.#look(delimiter.token);
    if (delimiter.marker === SUB || delimiter.marker === SUP) this.#single(delimiter, index);
    else if (index === this.#scope.end) this.#scope = this.#outer.pop() ?? this.#scope;
    else if (delimiter.end > index) {
      this.#outer.push(this.#scope);
      this.#scope = { end: delimiter.end, waiting: new Map() };
    }
  }

  // Reads the tokens before the one at `end`, each once.
  #look(end: number): void {
    for (; this.#seen < end; this.#seen++) {
      const { type = "", content = "" } = this.#tokens[this.#seen] ?? {};
      if (type.endsWith("break") || WHITESPACE.test(content)) this.#space = this.#seen;
      if (type !== "text" || NOT_IN_WORD.test(content)) this.#break = this.#seen;
    }
  }

  #single(delimiter: Delimiter, index: number): void {
    const { waiting } = this.#scope;
    const opener = waiting.get(delimiter.marker);
    if (opener === undefined || !this.#canPair(opener.delimiter, delimiter)) {
      waiting.set(delimiter.marker, { delimiter, index });
      return;
    }
    opener.delimiter.end = index;
    for (const [marker, other] of waiting) if (other.index >= opener.index) waiting.delete(marker);
  }

  // "10^4+10^5" and "r^2…r^2" are text: a marker that a word follows closes a word only. "~/a" is a path.
  #canPair(opener: Delimiter, closer: Delimiter): boolean {
    if (this.#space > opener.token) return false;
    if (opener.marker === SUB && this.#contentAfter(opener).startsWith("/")) return false;
    return this.#break <= opener.token || !STARTS_WORD.test(this.#contentAfter(closer));
  }

  #contentAfter({ token }: Delimiter): string {
    return this.#tokens[token + 1]?.content ?? "";
  }
}

const isOurs = ({ marker }: Delimiter): boolean => TYPES.has(marker);

function replacePairs(state: StateInline, delimiters: readonly Delimiter[]): void {
  if (!delimiters.some(isOurs)) return;
  const singles = new SinglePairs(state.tokens);
  delimiters.forEach((delimiter, index) => {
    singles.add(delimiter, index);
  });
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
