import { join, type Sql, sql } from "@kb/db";
import type { Clause, SimpleClause, TypedWords } from "./parse-query.ts";
import { jointSigns, lexemeOf, queryGrams, streamOf, type Token } from "./tokens.ts";
import { languageLexeme, quoted, titleMark, wholeEnd, wholeLabel, wholeTitle } from "./vector.ts";

/** The parameters of a search statement. */
export type Conditions = {
  /** tsquery for the index. */
  readonly matches: string;
  /** tsquery: the document contains the words as they are typed, and therefore matches. Undefined if no word of the query may go on. */
  readonly exact: string | undefined;
  /** Lists of texts, one of each of which must be in `folded`: order and adjacency, which the index does not know. */
  readonly inside: readonly (readonly string[])[];
  /** Texts that must not be in `folded`. */
  readonly outside: readonly string[];
  /** tsquery: the words of the query are in the title, and nothing that `matches` excludes is in the document, which therefore matches. */
  readonly inTitle: string;
  /** tsqueries: the title is the query; it begins with the query; a tag or heading is the query. */
  readonly titleIs: string;
  readonly titleBegins: string;
  /** tsquery: the document matches, and its title begins with the query. The index reads fewer rows for the words in titles than for `matches`. */
  readonly begins: string;
  readonly labelIs: string;
  /** tsquery: the document is in the preferred language, or in none that is known. Null if there is no preference. */
  readonly language: string | null;
  /** The words and phrases by which hits are ranked. */
  readonly ranked: readonly RankedWord[];
};

/** Of more words and phrases, the first are ranked by. */
const maxRankedWords = 12;

/** tsqueries of a word or phrase: exactly as typed, and also as the beginning of words. */
export type RankedWord = {
  readonly exact: string;
  readonly prefixes: string;
};

/** Replacements for a word of the query: each alternative is a list of words that must all be present. */
export type Replacements = ReadonlyMap<string, readonly (readonly string[])[]>;

const none: Replacements = new Map();

/**
 * Returns the conditions of a query; null when it contains nothing to find. A query that only excludes finds nothing.
 */
export function conditionsOf(
  clauses: readonly Clause[],
  { words: typed, open, language }: TypedWords & { readonly language?: string | undefined },
  replacements: Replacements = none,
): Conditions | null {
  const wanted = clauses.filter((clause) => !clause.negated);
  if (wanted.length === 0) return null;
  const unwanted = clauses.filter((clause) => clause.negated);
  const excludedByIndex = unwanted.filter((clause) => textsOf(clause).length === 0);
  const plain = (lexeme: string): string => lexeme;
  const marked = (lexeme: string): string => titleMark + lexeme;
  const allOf = (spell: (lexeme: string) => string, mayGoOn = true): string =>
    [
      ...wanted.map((clause) => condition(clause, replacements, spell, mayGoOn)),
      ...excludedByIndex.map((clause) => `!${condition(clause, none, plain)}`),
    ].join(" & ");
  const matches = allOf(plain);
  const inTitle = allOf(marked);
  const titleBegins = operand(wholeTitle(typed) + (open ? "" : wholeEnd), true);
  // The words of a title may be the parts of a compound that only the text contains.
  const words = wanted.flatMap(wordsOf);
  const hasCompound = words.some(({ parts }) => parts.length > 1);
  const isOpen = words.some(({ prefix }) => prefix);
  return {
    matches,
    exact: isOpen ? allOf(plain, false) : undefined,
    inside: wanted.map(textsOf).filter((texts) => texts.length > 0),
    outside: unwanted.flatMap(textsOf),
    inTitle,
    titleIs: quoted(wholeTitle(typed) + wholeEnd),
    titleBegins,
    begins: `(${hasCompound ? matches : inTitle}) & (${titleBegins})`,
    labelIs: quoted(wholeLabel(typed) + wholeEnd),
    language: language === undefined ? null : [language, null].map(languageLexeme).map(quoted).join(" | "),
    ranked: wanted.slice(0, maxRankedWords).map((clause) => rankedWord(clause, replacements)),
  };
}

/** The texts that a query must or must not contain, beside what the index knows. */
export type TextConditions = Pick<Conditions, "inside" | "outside">;

/** Whether there are conditions on texts, which take longer to read than a document to look up. */
export const hasTexts = ({ inside, outside }: TextConditions): boolean => inside.length + outside.length > 0;

/** Returns the condition on the texts in `folded`. True for most queries, because reading `folded` takes time. */
export function textConditions(folded: Sql, { inside, outside }: TextConditions): Sql {
  const hasText = (text: string): Sql => sql`strpos(${folded}, ${text}) > 0`;
  const texts = [
    ...inside.map((either) => sql`(${join(either.map(hasText), " OR ")})`),
    ...outside.map((text) => sql`strpos(${folded}, ${text}) = 0`),
  ];
  return texts.length === 0 ? sql`TRUE` : join(texts, " AND ");
}

type Operand = { readonly lexeme: string; readonly prefix: boolean };

const operand = (lexeme: string, prefix: boolean): string => (prefix ? `${quoted(lexeme)}:*` : quoted(lexeme));
const whole = (word: string): Operand => ({ lexeme: lexemeOf(word), prefix: false });

function condition(
  clause: Clause,
  replacements: Replacements,
  spell: (lexeme: string) => string,
  mayGoOn = true,
): string {
  const either = alternatives(clause, replacements).map((all) =>
    all.map(({ lexeme, prefix }) => operand(spell(lexeme), prefix && mayGoOn)).join(" & "),
  );
  return `(${either.join(" | ")})`;
}

function rankedWord(clause: Clause, replacements: Replacements): RankedWord {
  const operands = alternatives(clause, replacements).flat();
  return {
    exact: operands.map(({ lexeme }) => quoted(lexeme)).join(" | "),
    prefixes: operands.map(({ lexeme, prefix }) => operand(lexeme, prefix)).join(" | "),
  };
}

/** Returns the words of a clause that is no phrase. */
function wordsOf(clause: Clause): Extract<SimpleClause, { readonly kind: "word" }>[] {
  if (clause.kind === "either") return clause.spellings.flat().flatMap(wordsOf);
  return clause.kind === "word" ? [clause] : [];
}

/** Returns the sets of lexemes of which a document must have one: that of the clause, and one for each replacement. */
function alternatives(clause: Clause, replacements: Replacements): Operand[][] {
  switch (clause.kind) {
    case "word":
      return [
        [{ lexeme: lexemeOf(clause.text), prefix: clause.prefix }],
        ...(clause.prefix || clause.parts.length === 1 ? [] : longerCompounds(clause.text)),
        ...(replacements.get(clause.text) ?? []).map((words) => words.map(whole)),
      ];
    case "run":
      return [runOperands(clause.text)];
    case "phrase":
      return [clause.tokens.flatMap(tokenOperands)];
    case "either":
      return clause.spellings.flatMap(combined);
  }
}

/** Returns the sets of lexemes of which a document must have one in order to meet all clauses. Only a quoted name has more than one. */
const combined = (clauses: readonly SimpleClause[]): Operand[][] =>
  clauses.reduce<Operand[][]>(
    (sets, clause) => sets.flatMap((set) => alternatives(clause, none).map((more) => [...set, ...more])),
    [[]],
  );

/** Returns the beginnings of the compounds that go on after a compound: `foo_bar` is a word of `foo_bar.baz`. */
const longerCompounds = (compound: string): Operand[][] =>
  Array.from(jointSigns, (joint) => [{ lexeme: lexemeOf(compound) + joint, prefix: true }]);

function tokenOperands(token: Token): Operand[] {
  if (token.kind === "run") return runOperands(token.text);
  return token.parts.map(whole);
}

function runOperands(run: string): Operand[] {
  const single = Array.from(run).length === 1;
  return queryGrams(run).map((lexeme) => ({ lexeme, prefix: single }));
}

/** Returns the texts of which one must be in `folded` because lexemes do not suffice; none where they do. */
function textsOf(clause: Clause): string[] {
  switch (clause.kind) {
    case "word":
      return [];
    case "run":
      return queryGrams(clause.text).length > 1 ? [clause.text] : [];
    case "phrase":
      return [phraseStream(clause.tokens)];
    case "either": {
      const texts = clause.spellings.map((spelling) => spelling.flatMap(textsOf));
      // If lexemes suffice for one spelling, no text is common to all hits.
      return texts.some((found) => found.length === 0) ? [] : texts.flat();
    }
  }
}

/** Returns a phrase as it appears in `folded`. Words begin and end at a space; a run may be a part of a longer one. */
export function phraseStream(phrase: readonly Token[]): string {
  const before = phrase[0]?.kind === "word" ? " " : "";
  const after = phrase.at(-1)?.kind === "word" ? " " : "";
  return before + phrase.map(streamOf).join(" ") + after;
}
