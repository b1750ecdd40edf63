import { beyondAscii } from "./fold.ts";

/** A searchable part of a folded text. */
export type Token =
  /** A word. `parts` are the words of a compound (`node.js`), otherwise the word itself. */
  | { readonly kind: "word"; readonly text: string; readonly start: number; readonly parts: readonly string[] }
  /** Characters of a script without spaces between words; every substring can be searched for. */
  | { readonly kind: "run"; readonly text: string; readonly start: number };

/** Characters of scripts without spaces between words. Hangul is included: its spaces separate phrases. */
const runCharacter =
  "[[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー]&&[\\p{L}\\p{M}\\p{N}]]";
const run = `[${runCharacter}\\p{Emoji_Presentation}]`;
const letter = `[[\\p{L}\\p{M}\\p{N}]--${run}]`;

/**
 * Bounds the repetitions of the pattern: without them, a word of millions of letters exhausts the stack of the engine.
 * Divided words are joined again.
 */
const atMost = "{1,4096}";
const jointsAtMost = "{0,1024}";

/** The signs that join words to a compound. */
export const jointSigns = "._@-";
const jointSign = `[${jointSigns.replace("-", "\\-")}]`;

/**
 * A token: a run, or letters and digits, joined by single signs in names (`node.js`, `foo_bar`, `a@b.org`,
 * `kb-mcp-stdio`), with the final signs of programming languages (`c++`, `c#`).
 */
const pattern = new RegExp(
  `(${run}${atMost})|${letter}${atMost}(?:${jointSign}${letter}${atMost})${jointsAtMost}(?:(?:\\+\\+|#)(?!${letter}))?`,
  "gv",
);
/** The same for ASCII, in which there are no runs: most lines of most texts, read in a fraction of the time. */
const asciiPattern = new RegExp(
  `[A-Za-z0-9]${atMost}(?:${jointSign}[A-Za-z0-9]${atMost})${jointsAtMost}(?:(?:\\+\\+|#)(?![A-Za-z0-9]))?`,
  "g",
);
const joints = new RegExp(jointSign);
export const joint: RegExp = new RegExp(jointSign, "g");

/** The place of a token in a text, before it is divided into its parts. */
export type Piece = { readonly text: string; readonly start: number; readonly isRun: boolean };

/** Returns the tokens of a folded text in order. */
export function* tokens(folded: string): Generator<Token> {
  for (const piece of pieces(folded)) yield tokenOf(piece);
}

/** Returns the pieces of a folded text that are its tokens, in order. No token goes on in another line. */
export function* pieces(folded: string): Generator<Piece> {
  for (let from = 0; from < folded.length; ) {
    const feed = folded.indexOf("\n", from);
    const end = feed < 0 ? folded.length : feed;
    yield* piecesOfLine(folded.slice(from, end), from);
    from = end + 1;
  }
}

/** A shorter line reaches no bound of the pattern, so that each match is a whole token. */
const shorterThanBounds = 2_048;

/** Returns the texts of the tokens of a line that is short and in ASCII, all of them words; undefined for any other line. */
export function asciiWordsOf(line: string): readonly string[] | undefined {
  if (line.length > shorterThanBounds || beyondAscii.test(line)) return undefined;
  return line.match(asciiPattern) ?? [];
}

function* piecesOfLine(line: string, from: number): Generator<Piece> {
  let start = 0;
  let end = 0;
  let isRun = false;
  for (const found of line.matchAll(beyondAscii.test(line) ? pattern : asciiPattern)) {
    const continues = found.index === end && isRun === (found[1] !== undefined);
    if (!continues) {
      if (end > start) yield { text: line.slice(start, end), start: from + start, isRun };
      start = found.index;
      isRun = found[1] !== undefined;
    }
    end = found.index + found[0].length;
  }
  if (end > start) yield { text: line.slice(start, end), start: from + start, isRun };
}

/** Returns a piece as a token. */
export function tokenOf({ text, start, isRun }: Piece): Token {
  if (isRun) return { kind: "run", text, start };
  return { kind: "word", text, start, parts: joints.test(text) ? text.split(joint) : [text] };
}

/** The maximum length of a lexeme in UTF-16 units. PostgreSQL's own limit is 2,046 bytes. */
const maxLexeme = 100;
const maxCompoundParts = 8;

/** Returns the lexeme of a word. Cuts overlong words, in texts and queries alike. */
export function lexemeOf(word: string): string {
  if (word.length <= maxLexeme) return word;
  return word
    .slice(0, maxLexeme)
    .toWellFormed()
    .replace(/\ufffd$/, "");
}

/** Returns a token as it appears in `folded`, where the parts of a compound are separate words. */
export function streamOf(token: Token): string {
  return token.kind === "run" ? token.text : token.parts.map(lexemeOf).join(" ");
}

/**
 * Returns the lexemes of a word. A compound also has those of its parts and its tails, so that any part can begin a
 * query.
 */
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
 * Returns the lexemes of a run: each pair of neighboring characters, and the last one. A single character is a prefix
 * of a gram, two are a gram, more are several grams, whose order the caller checks.
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

/** Returns the end of the character at an offset: a character beyond the basic plane takes two units. */
function characterEnd(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** Returns the grams that a text must contain in order to contain a run. */
export function queryGrams(run: string): string[] {
  const grams = [...runGrams(run)];
  return grams.length === 1 ? grams : grams.slice(0, -1);
}
