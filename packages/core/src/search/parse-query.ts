import { addressAsIndexed } from "./addresses.ts";
import { fold } from "./fold.ts";
import { streamOf, type Token, tokens } from "./tokens.ts";

/** A condition that a hit must meet, or must not meet if it is negated. */
export type Clause = {
  readonly negated: boolean;
} & (
  | { readonly kind: "word"; readonly text: string; readonly parts: readonly string[]; readonly prefix: boolean }
  | { readonly kind: "run"; readonly text: string }
  | { readonly kind: "phrase"; readonly tokens: readonly Token[] }
);

/** A minus sign, then a phrase in quotation marks of any kind, or the text up to the next space. */
const piece = /(-?)(?:"([^"]*)"|[“„]([^“”]*)[“”]|«([^»]*)»|「([^」]*)」|(\S+))/gu;

/**
 * Parses a query. All words must be present, each as the beginning of a word; `"…"` is a phrase, and a `-` excludes
 * what follows, but for another `-`: an option such as `--force` is a word. Of an address, its scheme and `www.` do not count.
 * Every string is a valid query; one without anything to find has no clauses.
 */
export function parseQuery(query: string): Clause[] {
  return distinct([...clausesOf(query, addressAsIndexed)]);
}

/** What a query wants, as a title or heading that begins with it is in `folded`. */
export type TypedWords = {
  readonly words: string;
  /** Whether the last word may go on. */
  readonly open: boolean;
};

/** Returns the wanted words of a query in the order in which they were typed, with those that were typed twice. A title has an address as it is. */
export function typedWords(query: string): TypedWords {
  const wanted = [...clausesOf(query, (text) => text)].filter((clause) => !clause.negated);
  const last = wanted.at(-1);
  const tokensOf = (clause: Clause): readonly Token[] =>
    clause.kind === "phrase" ? clause.tokens : [{ ...clause, start: 0 }];
  return {
    words: wanted.flatMap(tokensOf).map(streamOf).join(" "),
    open: last?.kind === "run" || (last?.kind === "word" && last.prefix),
  };
}

function* clausesOf(query: string, spell: (text: string) => string): Generator<Clause> {
  for (const found of query.matchAll(piece)) {
    const loose = found[6];
    const negated = found[1] === "-" && loose?.startsWith("-") !== true;
    const quotedText = found[2] ?? found[3] ?? found[4] ?? found[5];
    const pieces = [...tokens(fold(spell(loose ?? quotedText ?? "")))];
    if (pieces.length === 0) continue;
    if (loose === undefined || (negated && pieces.length > 1)) yield exactClause(pieces, negated);
    else for (const token of pieces) yield looseClause(token, negated);
  }
}

function looseClause(token: Token, negated: boolean): Clause {
  if (token.kind === "run") return { kind: "run", text: token.text, negated };
  return { kind: "word", text: token.text, parts: token.parts, negated, prefix: !negated && isPrefix(token.text) };
}

/** Tells whether a word matches as a prefix: a single letter would match half of a dictionary. */
function isPrefix(word: string): boolean {
  return Array.from(word).length >= 2;
}

function exactClause(pieces: readonly Token[], negated: boolean): Clause {
  const [only] = pieces;
  if (pieces.length > 1 || only === undefined) return { kind: "phrase", tokens: pieces, negated };
  if (only.kind === "run") return { kind: "run", text: only.text, negated };
  return { kind: "word", text: only.text, parts: only.parts, negated, prefix: false };
}

function distinct(clauses: readonly Clause[]): Clause[] {
  const seen = new Map<string, Clause>();
  for (const clause of clauses) {
    const content = clause.kind === "phrase" ? clause.tokens.map((token) => token.text) : clause.text;
    const prefix = clause.kind === "word" && clause.prefix;
    seen.set(JSON.stringify([clause.kind, clause.negated, prefix, content]), clause);
  }
  return [...seen.values()];
}
