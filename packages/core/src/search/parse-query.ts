import { spellingsOf } from "./addresses.ts";
import { fold } from "./fold.ts";
import { streamOf, type Token, tokens } from "./tokens.ts";

/** A condition that a hit must meet, or must not meet if it is negated. */
export type Clause = SimpleClause | EitherClause;

export type SimpleClause = {
  readonly negated: boolean;
} & (
  | { readonly kind: "word"; readonly text: string; readonly parts: readonly string[]; readonly prefix: boolean }
  | { readonly kind: "run"; readonly text: string }
  | { readonly kind: "phrase"; readonly tokens: readonly Token[] }
);

/** Two spellings of a part of an address: a hit meets all clauses of the one or all of the other. */
export type EitherClause = {
  readonly kind: "either";
  readonly negated: false;
  readonly spellings: readonly [readonly SimpleClause[], readonly SimpleClause[]];
};

/** A minus sign, then a phrase in quotation marks of any kind, or the text up to the next space. */
const piece = /(-?)(?:"([^"]*)"|[“„]([^“”]*)[“”]|«([^»]*)»|「([^」]*)」|(\S+))/gu;

/**
 * Parses a query. All words must be present, each as the beginning of a word; `"…"` is a phrase, and a `-` excludes
 * what follows, but for another `-`: an option such as `--force` is a word. Of a wanted address, its scheme and `www.` do not
 * count, and it is found with its percent signs decoded or as they are.
 * Every string is a valid query; one without anything to find has no clauses.
 */
export function parseQuery(query: string): Clause[] {
  return distinct(piecesOf(query).flatMap(clausesOf));
}

/** What a query wants, as a title or heading that begins with it is in `folded`. */
export type TypedWords = {
  readonly words: string;
  /** Whether the last word may go on. */
  readonly open: boolean;
};

/** Returns the wanted words of a query in the order in which they were typed, with those that were typed twice. A title has an address as it is. */
export function typedWords(query: string): TypedWords {
  const wanted = piecesOf(query).flatMap((piece) => (piece.negated ? [] : simpleClauses(piece, piece.text)));
  const last = wanted.at(-1);
  const tokensOf = (clause: SimpleClause): readonly Token[] =>
    clause.kind === "phrase" ? clause.tokens : [{ ...clause, start: 0 }];
  return {
    words: wanted.flatMap(tokensOf).map(streamOf).join(" "),
    open: last?.kind === "run" || (last?.kind === "word" && last.prefix),
  };
}

/** A part of a query: a text, or a phrase in quotation marks. */
type Piece = { readonly text: string; readonly isPhrase: boolean; readonly negated: boolean };

const piecesOf = (query: string): Piece[] =>
  Array.from(query.matchAll(piece), (found) => {
    const loose = found[6];
    const text = loose ?? found[2] ?? found[3] ?? found[4] ?? found[5] ?? "";
    return { text, isPhrase: loose === undefined, negated: found[1] === "-" && loose?.startsWith("-") !== true };
  });

/** Returns the clauses of a piece. An excluded address excludes only documents that have it as it was typed. */
function clausesOf(piece: Piece): Clause[] {
  if (piece.negated) return simpleClauses(piece, piece.text);
  const { linked, written } = spellingsOf(piece.text);
  if (linked === written) return simpleClauses(piece, written);
  return eitherOf(simpleClauses(piece, linked), simpleClauses(piece, written));
}

/** Returns clauses for documents that meet all of the one list or all of the other. */
function eitherOf(linked: readonly SimpleClause[], written: readonly SimpleClause[]): Clause[] {
  if (linked.length === 0) return [...written];
  const keys = { linked: new Set(linked.map(keyOf)), written: new Set(written.map(keyOf)) };
  const both = linked.filter((clause) => keys.written.has(keyOf(clause)));
  const onlyLinked = linked.filter((clause) => !keys.written.has(keyOf(clause)));
  const onlyWritten = written.filter((clause) => !keys.linked.has(keyOf(clause)));
  // A document that meets the longer list meets the other.
  if (onlyLinked.length === 0 || onlyWritten.length === 0) return both;
  return [...both, { kind: "either", negated: false, spellings: [onlyLinked, onlyWritten] }];
}

function simpleClauses({ isPhrase, negated }: Piece, text: string): SimpleClause[] {
  const pieces = [...tokens(fold(text))];
  if (pieces.length === 0) return [];
  if (isPhrase || (negated && pieces.length > 1)) return [exactClause(pieces, negated)];
  return pieces.map((token) => looseClause(token, negated));
}

function looseClause(token: Token, negated: boolean): SimpleClause {
  if (token.kind === "run") return { kind: "run", text: token.text, negated };
  return { kind: "word", text: token.text, parts: token.parts, negated, prefix: !negated && isPrefix(token.text) };
}

/** Tells whether a word matches as a prefix: a single letter would match half of a dictionary. */
function isPrefix(word: string): boolean {
  return Array.from(word).length >= 2;
}

function exactClause(pieces: readonly Token[], negated: boolean): SimpleClause {
  const [only] = pieces;
  if (pieces.length > 1 || only === undefined) return { kind: "phrase", tokens: pieces, negated };
  if (only.kind === "run") return { kind: "run", text: only.text, negated };
  return { kind: "word", text: only.text, parts: only.parts, negated, prefix: false };
}

function distinct(clauses: readonly Clause[]): Clause[] {
  return [...new Map(clauses.map((clause) => [keyOf(clause), clause])).values()];
}

/** Returns a text that equal clauses have in common. */
function keyOf(clause: Clause): string {
  if (clause.kind === "either") return JSON.stringify(clause.spellings.map((spelling) => spelling.map(keyOf)));
  const content = clause.kind === "phrase" ? clause.tokens.map((token) => token.text) : clause.text;
  const prefix = clause.kind === "word" && clause.prefix;
  return JSON.stringify([clause.kind, clause.negated, prefix, content]);
}
