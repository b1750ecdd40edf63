import { fold } from "./fold.ts";
import { languageOf } from "./language.ts";
import { asciiWordsOf, type Piece, pieces, runGrams, streamOf, tokenOf, wordLexemes } from "./tokens.ts";
import {
  type Field,
  type Lexeme,
  type Lexemes,
  languageLexeme,
  VectorBuilder,
  wholeEnd,
  wholeLabel,
  wholeTitle,
} from "./vector.ts";

/** The searchable parts of a document. `tags` never include restricted ones. */
export type Searchable = {
  readonly title: string;
  readonly tags: readonly string[];
  readonly headings: readonly string[];
  /** The whole text, including headings. */
  readonly text: string;
  /** Texts of the addresses of links and images (see `searchableAddresses`). */
  readonly addresses: readonly string[];
};

/** The stored search index of a document. */
export type SearchIndex = {
  /**
   * The words in order with a space around each and a line feed between fields. It proves order and adjacency, which
   * the index does not know.
   */
  readonly folded: string;
  /** A tsvector literal, to be written as `${vector}::tsvector`. */
  readonly vector: string;
  /** Words of four letters or more, sorted: the vocabulary for the correction of typos (see `addTerms`). */
  readonly terms: string[];
};

/**
 * Prepares a document for the search. Pure and linear, so that it can run before the transaction opens.
 * @param known words of versions of the document that were indexed before; the result is the same without them
 */
export function indexDocument(document: Searchable, known: KnownWords = new KnownWords()): SearchIndex {
  const builder = new VectorBuilder(known.lexemes);
  builder.addMark(languageLexeme(languageOf(beginningOf(document))));
  const parts = [
    indexField(builder, "title", document.title, known),
    ...document.tags.map((tag) => indexField(builder, "tags", tag, known)),
    ...document.headings.map((heading) => indexField(builder, "headings", heading, known)),
    indexField(builder, "text", document.text, known),
    ...document.addresses.map((address) => indexField(builder, "addresses", address, known)),
  ];
  return { folded: parts.filter((part) => part !== "").join("\n"), vector: builder.literal(), terms: termsOf(builder) };
}

const headingCharacters = 500;

/** Returns the text that shows the language. Headings count twice, because few of them are code. */
const beginningOf = ({ headings, text }: Searchable): string =>
  `${headings.join("\n").slice(0, headingCharacters)}\n${text}`;

/** The fields that a query may equal as a whole. */
const whole = { title: wholeTitle, tags: wholeLabel, headings: wholeLabel };

/** A token as it is indexed. */
type Indexed = { readonly stream: string; readonly lexemes: readonly Lexeme[] };
/** A line: its words as they are indexed, and the text of all of them. */
type IndexedLine = { readonly stream: string; readonly words: readonly Indexed[] };

/** The words that a document has had so far, and its lines: a text repeats most of its words, and a version of it most lines. */
export class KnownWords {
  readonly lexemes: Lexemes = new Map();
  readonly words = new Map<string, Indexed>();
  readonly lines: Map<string, IndexedLine> | undefined;

  /** @param keepsLines whether versions of one document are indexed with these words one after the other */
  constructor({ keepsLines = false }: { keepsLines?: boolean } = {}) {
    this.lines = keepsLines ? new Map() : undefined;
  }
}

/** Adds a piece of a field, and returns it as it is indexed. */
function addPiece(builder: VectorBuilder, field: Field, piece: Piece, known: KnownWords): Indexed {
  const token = tokenOf(piece);
  const lexemes: Lexeme[] = [];
  for (const lexeme of token.kind === "run" ? runGrams(token.text) : wordLexemes(token)) {
    if (builder.full) break;
    lexemes.push(builder.add(lexeme, field));
  }
  const indexed = { stream: streamOf(token), lexemes };
  if (token.kind === "word" && !builder.full) known.words.set(token.text, indexed);
  return indexed;
}

/** Adds a line of a field, and returns it as it is indexed. */
function addLine(builder: VectorBuilder, field: Field, line: string, known: KnownWords): IndexedLine {
  const words: Indexed[] = [];
  const addAgain = (word: Indexed): void => {
    builder.addAgain(word.lexemes, field);
    words.push(word);
  };
  const add = (piece: Piece): void => {
    const before = known.words.get(piece.text);
    if (before === undefined) words.push(addPiece(builder, field, piece, known));
    else addAgain(before);
  };
  // Folding changes no line by its neighbors, and most lines of most texts are in ASCII.
  const folded = fold(line);
  const ascii = asciiWordsOf(folded);
  if (ascii === undefined) for (const piece of pieces(folded)) add(piece);
  else {
    for (const word of ascii) {
      const before = known.words.get(word);
      if (before === undefined) add({ text: word, start: 0, isRun: false });
      else addAgain(before);
    }
  }
  return { stream: words.map(({ stream }) => stream).join(" "), words };
}

/** Characters of a line that is remembered. */
const longestKnownLine = 10_000;

function indexField(builder: VectorBuilder, field: Field, text: string, known = new KnownWords()): string {
  const streams: string[] = [];
  for (const line of text.split("\n")) {
    const before = known.lines?.get(line);
    if (before !== undefined) for (const { lexemes } of before.words) builder.addAgain(lexemes, field);
    const { stream, words } = before ?? addLine(builder, field, line, known);
    if (words.length > 0) streams.push(stream);
    // Another index may have room for the words that a full one leaves out. The words of a long line take many times its size.
    if (before === undefined && line.length <= longestKnownLine && !builder.full)
      known.lines?.set(line, { stream, words });
  }
  if (streams.length === 0) return "";
  const words = streams.join(" ");
  if (field !== "text" && field !== "addresses") builder.addMark(whole[field](words) + wholeEnd, field);
  return ` ${words} `;
}

/** Returns the title's part of `folded`, its lexemes, and its words for the vocabulary. */
export function indexTitle(
  title: string,
): Pick<SearchIndex, "folded" | "terms"> & { readonly lexemes: Iterable<string> } {
  const builder = new VectorBuilder();
  const folded = indexField(builder, "title", title);
  return { folded, lexemes: builder.lexemes(), terms: termsOf(builder) };
}

/** Returns the lexemes of a document's text. */
export function textLexemes(text: string): ReadonlySet<string> {
  const builder = new VectorBuilder();
  indexField(builder, "text", text);
  return new Set(builder.lexemes());
}

const maxTerms = 3_000;
const term = /^[\p{L}\p{M}]{4,40}$/u;

function termsOf(builder: VectorBuilder): string[] {
  const terms: string[] = [];
  for (const lexeme of builder.lexemes()) {
    if (!term.test(lexeme)) continue;
    terms.push(lexeme);
    if (terms.length === maxTerms) break;
  }
  return terms.sort();
}
