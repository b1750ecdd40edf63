import { lexemeOf } from "./tokens.ts";

/** The part of a document that contains a lexeme; `title` counts most. */
export type Field = "title" | "tags" | "headings" | "text" | "addresses";

// PostgreSQL allows 1,048,575 bytes of lexemes and positions in one tsvector.
const maxBytes = 1_000_000;
// More than real texts have. Further lexemes of a text made of noise are not worth the time.
const maxLexemes = 200_000;
const flags: Readonly<Record<Field, number>> = { title: 1, tags: 2, headings: 4, text: 0, addresses: 0 };
const countUnit = 8;
const weightedPositions = ["1A", "2B", "3C"];
const textPositions = ["", ",4", ",4,5", ",4,5,6", ",4,5,6,7"];

/** The lexeme of all documents that are indexed as this release does it. No query contains it. */
export const indexMark = "#3";

/** Prefix of a title's lexemes, so that the index finds a word in titles without reading rows. No word begins with it. */
export const titleMark = "=";

/** Returns the lexeme of a whole title, given as it is in `folded`. One of a longer title begins with it, but for `wholeEnd`. */
export const wholeTitle = (words: string): string => joined("==", words);
/** Returns the lexeme of a whole tag or heading in the same way. */
export const wholeLabel = (words: string): string => joined("=#", words);
/** Ends the lexeme of a whole title, tag or heading. */
export const wholeEnd = "=";

const joined = (mark: string, words: string): string => lexemeOf(mark + words.replaceAll(" ", "="));

/** Returns the lexeme of a document's language. */
export const languageLexeme = (language: string | null): string => `=@${language ?? ""}`;

/**
 * A lexeme of a vector: three bits for title, tags and headings; the higher bits count its occurrences in the text. Both are of the
 * builder that added it last.
 */
export type Lexeme = { readonly text: string; packed: number; builder: VectorBuilder | undefined };

/** The lexemes of one document, or of its versions one after the other: those of the last have their objects already. */
export type Lexemes = Map<string, Lexeme>;

/** Collects the lexemes of one document. */
export class VectorBuilder {
  readonly #known: Lexemes;
  /** In the order in which they were added. */
  readonly #added: Lexeme[] = [];

  constructor(known: Lexemes = new Map()) {
    this.#known = known;
  }

  /** Whether no new lexemes are accepted. */
  get full(): boolean {
    return this.#added.length >= maxLexemes;
  }

  /** Adds a lexeme. The fields are added one after another, the title first. */
  add(text: string, field: Field): Lexeme {
    const lexeme = this.#lexemeOf(text);
    this.#count(lexeme, field);
    return lexeme;
  }

  /** Adds what `add` has returned once more, as far as it is accepted, without looking it up. */
  addAgain(lexemes: readonly Lexeme[], field: Field): void {
    for (const lexeme of lexemes) {
      if (this.full) return;
      this.#count(lexeme, field);
    }
  }

  /** Adds a lexeme that is no word of the document (see `wholeTitle`). Like all of the title, one of the title has a position. */
  addMark(lexeme: string, field?: Field): void {
    if (!this.full) this.#set(lexeme, field === "title" ? flags.title : 0);
  }

  #count(lexeme: Lexeme, field: Field): void {
    this.#own(lexeme);
    if (field === "text") lexeme.packed += countUnit;
    else lexeme.packed |= flags[field];
    if (field === "title") this.#set(titleMark + lexeme.text, flags.title);
  }

  #set(text: string, packed: number): void {
    const lexeme = this.#lexemeOf(text);
    this.#own(lexeme);
    lexeme.packed = packed;
  }

  #lexemeOf(text: string): Lexeme {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const lexeme: Lexeme = { text, packed: 0, builder: undefined };
    this.#known.set(text, lexeme);
    return lexeme;
  }

  #own(lexeme: Lexeme): void {
    if (lexeme.builder === this) return;
    lexeme.builder = this;
    lexeme.packed = 0;
    this.#added.push(lexeme);
  }

  lexemes(): Iterable<string> {
    return this.#added.map(({ text }) => text);
  }

  /**
   * Returns the tsvector literal. A lexeme has one position for each of title, tags and headings that contain it, and
   * up to four for the text (by the logarithm of its count): positions carry weights, not places. One of addresses has
   * none, like one that the text has once. A vector that would exceed the limit first drops positions of the text, then
   * the last lexemes.
   */
  literal(): string {
    return this.#write(true) ?? this.#write(false) ?? "";
  }

  #write(withTextPositions: boolean): string | null {
    const entries = [quoted(indexMark)];
    let bytes = 0;
    for (const { text: lexeme, packed } of this.#added) {
      const positions = withTextPositions || (packed & 7) !== 0 ? positionsOf(packed) : "";
      bytes += Buffer.byteLength(lexeme) + (positions === "" ? 0 : 4 + positions.length);
      if (bytes > maxBytes) {
        if (withTextPositions) return null;
        break;
      }
      entries.push(positions === "" ? quoted(lexeme) : `${quoted(lexeme)}:${positions}`);
    }
    return entries.join(" ");
  }
}

function positionsOf(packed: number): string {
  const weighted = weightedPositions.filter((_, index) => (packed >> index) & 1).join(",");
  const count = packed >> 3;
  // A lexeme without positions ranks as one that occurs in the text once.
  if (weighted === "" && count <= 1) return "";
  const inText = textPositions[Math.min(4, 32 - Math.clz32(count))] ?? "";
  return weighted === "" ? inText.slice(1) : weighted + inText;
}

/** Returns a lexeme as tsvector and tsquery literals spell it. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, "$&$&")}'`;
}
