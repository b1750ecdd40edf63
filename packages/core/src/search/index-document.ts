import { fold } from "./fold.ts";
import { lexemeOf, runGrams, type Token, tokens, wordLexemes } from "./tokens.ts";
import { type Field, VectorBuilder } from "./vector.ts";

/** What is found of a document. `tags` are those that everybody may see: never a restricted one. */
export type Searchable = {
  readonly title: string;
  readonly tags: readonly string[];
  readonly headings: readonly string[];
  /** The whole text, headings included. */
  readonly text: string;
};

/** What is stored of it. */
export type SearchIndex = {
  /**
   * The words in their order with a space around each and a line feed between fields: what the grams and words of the
   * index cannot tell (order, neighbourhood) is checked here.
   */
  readonly folded: string;
  /** A literal, to be written as `${vector}::tsvector`. */
  readonly vector: string;
  /** Words of four letters or more, sorted: the vocabulary against which typos are held (see `recordTerms`). */
  readonly terms: string[];
};

/** Prepares a document for the search: pure and linear, so it can run before the transaction opens. */
export function indexDocument(document: Searchable): SearchIndex {
  const builder = new VectorBuilder();
  const parts = [
    indexField(builder, "title", document.title),
    ...document.tags.map((tag) => indexField(builder, "tags", tag)),
    ...document.headings.map((heading) => indexField(builder, "headings", heading)),
    indexField(builder, "text", document.text),
  ];
  return { folded: parts.filter((part) => part !== "").join("\n"), vector: builder.literal(), terms: termsOf(builder) };
}

function indexField(builder: VectorBuilder, field: Field, text: string): string {
  const stream: string[] = [];
  for (const token of tokens(fold(text))) {
    stream.push(streamOf(token));
    const lexemes = token.kind === "run" ? runGrams(token.text) : wordLexemes(token);
    for (const lexeme of lexemes) {
      if (builder.full) break;
      builder.add(lexeme, field);
    }
  }
  return stream.length === 0 ? "" : ` ${stream.join(" ")} `;
}

/** How a token stands in `folded`: the parts of a compound are words of their own there. */
export function streamOf(token: Token): string {
  return token.kind === "run" ? token.text : token.parts.map(lexemeOf).join(" ");
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
