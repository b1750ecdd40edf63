import { phraseStream, type Replacements } from "./conditions.ts";
import { beyondAscii, fold, foldWithOffsets } from "./fold.ts";
import type { Clause } from "./parse-query.ts";
import { lexemeOf, tokens } from "./tokens.ts";

/** A text to mark in a snippet, in the form of a stream of words with a space around each. */
export type Needle = {
  readonly stream: string;
  /** Whether the match extends to the end of its word. */
  readonly toWordEnd: boolean;
  /** A text without this, when folded, contains no match. */
  readonly hint: string;
  /** Finds the beginning of the hint in a text as typed, in any case. */
  readonly typed: RegExp;
};

/** Returns the needles of a query: its wanted words and phrases, and the replacements of its words. */
export function needlesOf(clauses: readonly Clause[], replacements: Replacements = new Map()): Needle[] {
  return clauses.filter((clause) => !clause.negated).flatMap((clause) => clauseNeedles(clause, replacements));
}

function clauseNeedles(clause: Clause, replacements: Replacements): Needle[] {
  switch (clause.kind) {
    case "word":
      return [
        needle(wordStream(clause.parts, clause.prefix), clause.prefix),
        ...(replacements.get(clause.text) ?? []).flat().map((word) => needle(wordStream([word], false), false)),
      ];
    case "run":
      return [needle(clause.text, false)];
    case "phrase":
      return [needle(phraseStream(clause.tokens), false)];
    case "either":
      return clause.spellings.flat().flatMap((part) => clauseNeedles(part, replacements));
  }
}

const wordStream = (parts: readonly string[], prefix: boolean): string =>
  ` ${parts.map(lexemeOf).join(" ")}${prefix ? "" : " "}`;

/** The most comparisons that a character of a text can cost: a text may repeat the first letters of the hint. */
const maxTypedLength = 16;

function needle(stream: string, toWordEnd: boolean): Needle {
  const hint = stream.trim().split(" ", 1)[0] ?? "";
  // Half of a pair matches nothing.
  const beginning = hint.slice(0, maxTypedLength).replace(/[\ud800-\udbff]$/, "");
  const escaped = beginning.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return { stream, toWordEnd, hint, typed: new RegExp(escaped, "iu") };
}

/** A match: UTF-16 offsets in the text, and the index of the needle. */
export type Match = { readonly start: number; readonly end: number; readonly needle: number };

/**
 * Returns all matches in a short text by their start. Offsets of the original are only computed where there is a match.
 */
export function findMatches(text: string, needles: readonly Needle[]): Match[] {
  // In ASCII, folding only changes case, so that offsets stay the same.
  const { stream, origins, starts } = beyondAscii.test(text)
    ? withStarts(text)
    : { ...streamWithOrigins(fold(text)), starts: undefined };
  const matches: Match[] = [];
  for (const [index, needle] of needles.entries()) {
    for (const [first, last] of occurrences(stream, needle)) {
      matches.push({ ...original(origins[first], origins[last], starts), needle: index });
    }
  }
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Matches characters that may fold to ASCII. Excluded are ASCII itself and frequent characters that fold to nothing in
 * ASCII: dashes, quotation marks, arrows, Cyrillic, kana, Chinese characters, Hangul. In a text of these, an ASCII hint
 * is exactly where the lower case has it.
 */
const mayBecomeAscii =
  /[^\p{ASCII}–—‘’“”→\u0400-\u0482\u048a-\u04ff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/u;

/** Returns the number of needles that a text can match at most. Most texts need no folding for it. */
export function mostMatched(text: string, needles: readonly Needle[]): number {
  const lower = text.toLowerCase();
  const others = needles.filter(({ hint }) => !lower.includes(hint));
  if (others.length === 0) return needles.length;
  const isExact = !mayBecomeAscii.test(text) && !others.some(({ hint }) => beyondAscii.test(hint));
  const folded = isExact ? lower : fold(text);
  return needles.length - others.filter(({ hint }) => !folded.includes(hint)).length;
}

function withStarts(text: string): ReturnType<typeof streamWithOrigins> & { starts: readonly number[] } {
  const { folded, starts } = foldWithOffsets(text);
  return { ...streamWithOrigins(folded), starts };
}

/** Returns the first and the last unit of each occurrence, without the spaces around it. */
function* occurrences(stream: string, { stream: wanted, toWordEnd }: Needle): Generator<[number, number]> {
  const lead = wanted.startsWith(" ") ? 1 : 0;
  const length = wanted.trimEnd().length;
  for (let at = stream.indexOf(wanted); at >= 0; at = stream.indexOf(wanted, at + length)) {
    const end = toWordEnd ? stream.indexOf(" ", at + length) : at + length;
    yield [at + lead, end - 1];
  }
}

/**
 * Returns the stream of a folded text, and for each unit its offset in the folded text (-1 for the spaces between
 * words).
 */
function streamWithOrigins(folded: string): { stream: string; origins: number[] } {
  let stream = " ";
  const origins = [-1];
  const add = (word: string, start: number): void => {
    stream += `${word} `;
    for (let unit = 0; unit < word.length; unit += 1) origins.push(start + unit);
    origins.push(-1);
  };
  for (const token of tokens(folded)) {
    if (token.kind === "run") {
      add(token.text, token.start);
      continue;
    }
    let start = token.start;
    for (const part of token.parts) {
      add(lexemeOf(part), start);
      start += part.length + 1;
    }
  }
  return { stream, origins };
}

/** Maps the first and the last folded unit to a range of the original, extended to whole characters. */
function original(first = 0, last = 0, starts?: readonly number[]): { start: number; end: number } {
  if (starts === undefined) return { start: first, end: last + 1 };
  const start = starts[first] ?? 0;
  let next = last + 1;
  while (next < starts.length - 1 && starts[next] === starts[last]) next += 1;
  return { start, end: starts[next] ?? start };
}
