import { fold } from "./fold.ts";
import { type Token, tokens } from "./tokens.ts";

/** One thing that a hit must have, or must not have. */
export type Clause = {
  readonly negated: boolean;
} & (
  | { readonly kind: "word"; readonly text: string; readonly parts: readonly string[]; readonly prefix: boolean }
  | { readonly kind: "run"; readonly text: string }
  | { readonly kind: "phrase"; readonly tokens: readonly Token[] }
);

/** A minus, then a quoted phrase (of any kind of quotation marks) or whatever stands up to the next space. */
const piece = /(-?)(?:"([^"]*)"|[“„]([^“”]*)[“”]|«([^»]*)»|「([^」]*)」|(\S+))/gu;

/**
 * Reads a query: all words must be there, each as a beginning of a word; `"…"` is a phrase, and what follows a `-` must
 * not be there. Any string is a query; one without anything to look for has no clause.
 */
export function parseQuery(query: string): Clause[] {
  const clauses: Clause[] = [];
  for (const found of query.matchAll(piece)) {
    const negated = found[1] === "-";
    const loose = found[6];
    const quotedText = found[2] ?? found[3] ?? found[4] ?? found[5];
    const pieces = [...tokens(fold(loose ?? quotedText ?? ""))];
    if (pieces.length === 0) continue;
    if (loose === undefined || (negated && pieces.length > 1)) clauses.push(exactClause(pieces, negated));
    else for (const token of pieces) clauses.push(looseClause(token, negated));
  }
  return distinct(clauses);
}

function looseClause(token: Token, negated: boolean): Clause {
  if (token.kind === "run") return { kind: "run", text: token.text, negated };
  return { kind: "word", text: token.text, parts: token.parts, negated, prefix: !negated && isPrefix(token.text) };
}

/** A beginning of two letters or more stands for its words; a single letter would stand for half of a dictionary. */
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
