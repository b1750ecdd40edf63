/** A piece of a folded text that can be looked for. */
export type Token =
  /** A word; `parts` are its pieces where it is a compound (`node.js`), else the word alone. */
  | { readonly kind: "word"; readonly text: string; readonly start: number; readonly parts: readonly string[] }
  /** A run of a script that puts no spaces between words: any substring of it can be looked for. */
  | { readonly kind: "run"; readonly text: string; readonly start: number };

/** Characters of scripts without spaces between words. Hangul has spaces, but they stand between phrases. */
const runCharacter =
  "[[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー]&&[\\p{L}\\p{M}\\p{N}]]";
const run = `[${runCharacter}\\p{Emoji_Presentation}]`;
const letter = `[[\\p{L}\\p{M}\\p{N}]--${run}]`;

/**
 * One token: a run, or letters and digits, also joined by single signs as names are (`node.js`, `foo_bar`, `a@b.org`,
 * `kb-mcp-stdio`), and with the signs that names of languages end on (`c++`, `c#`).
 */
const pattern = new RegExp(`(${run}+)|${letter}+(?:[._@\\-]${letter}+)*(?:(?:\\+\\+|#)(?!${letter}))?`, "gv");
const joints = /[._@-]/;
const joint = /[._@-]/g;

/** The tokens of a folded text in their order. */
export function* tokens(folded: string): Generator<Token> {
  for (const found of folded.matchAll(pattern)) {
    const text = found[0];
    if (found[1] !== undefined) yield { kind: "run", text, start: found.index };
    else yield { kind: "word", text, start: found.index, parts: joints.test(text) ? text.split(joint) : [text] };
  }
}

/** Longest lexeme in UTF-16 units; PostgreSQL's own limit is 2,046 bytes. */
const maxLexeme = 100;
const maxCompoundParts = 8;

/** A word as the index knows it: what is longer than any word is cut, in texts and queries alike. */
export function lexemeOf(word: string): string {
  if (word.length <= maxLexeme) return word;
  return word
    .slice(0, maxLexeme)
    .toWellFormed()
    .replace(/\ufffd$/, "");
}

/** What is indexed of a word: itself; of a compound also each part, and each tail, so that any part can begin a query. */
export function wordLexemes(token: { readonly text: string; readonly parts: readonly string[] }): string[] {
  const { text, parts } = token;
  if (parts.length === 1) {
    const stem = /^(.+?)(?:\+\+|#)$/.exec(text)?.[1];
    return stem === undefined ? [lexemeOf(text)] : [lexemeOf(text), lexemeOf(stem)];
  }
  const lexemes = [lexemeOf(text), ...parts.map(lexemeOf)];
  let offset = 0;
  for (const part of parts.slice(0, Math.min(parts.length - 2, maxCompoundParts))) {
    offset += part.length + 1;
    lexemes.push(lexemeOf(text.slice(offset)));
  }
  return lexemes;
}

/**
 * What is indexed of a run: each pair of neighbouring characters, and the last one alone. So one character is the prefix
 * of a gram, two are a gram, and more are several grams (whose order the caller checks).
 */
export function* runGrams(run: string): Generator<string> {
  let from = 0;
  let next = characterEnd(run, from);
  while (next < run.length) {
    const end = characterEnd(run, next);
    yield run.slice(from, end);
    from = next;
    next = end;
  }
  yield run.slice(from);
}

/** Where the character at `at` ends: a character beyond the basic plane is two units. */
function characterEnd(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** The grams that a text has to contain to contain these characters. */
export function queryGrams(run: string): string[] {
  const grams = [...runGrams(run)];
  return grams.length === 1 ? grams : grams.slice(0, -1);
}
