import { phraseStream, type Replacements } from "./conditions.ts";
import { beyondAscii, fold, foldWithOffsets } from "./fold.ts";
import type { Clause } from "./parse-query.ts";
import { lexemeOf, tokens } from "./tokens.ts";

/** What is marked in a snippet, as it stands in a stream of words with a space around each. */
export type Needle = {
  readonly stream: string;
  /** The match goes on to the end of the word that it began. */
  readonly toWordEnd: boolean;
  /** What a text must contain, folded, to be worth a closer look. */
  readonly hint: string;
};

/** The needles of a query: all that it wants, and what replaces its words. */
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
  }
}

const wordStream = (parts: readonly string[], prefix: boolean): string =>
  ` ${parts.map(lexemeOf).join(" ")}${prefix ? "" : " "}`;

function needle(stream: string, toWordEnd: boolean): Needle {
  return { stream, toWordEnd, hint: stream.trim().split(" ", 1)[0] ?? "" };
}

/** Where in a text a needle was found: UTF-16 offsets, and the needle's index. */
export type Match = { readonly start: number; readonly end: number; readonly needle: number };

/** All matches in a short text, by their start. The way back to the original is only made where there is a match. */
export function findMatches(text: string, needles: readonly Needle[]): Match[] {
  if (!mayMatch(text, needles)) return [];
  // In plain ASCII the fold only lowers letters: every unit stays where it was.
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
 * Anything but ASCII, and what is frequent beside it and folds to nothing that is ASCII: dashes, quotation marks, arrows,
 * Cyrillic, kana, Chinese characters, Hangul. A text of these alone has a hint in ASCII exactly where its lower case has it.
 */
const mayBecomeAscii =
  /[^\p{ASCII}–—‘’“”→\u0400-\u0482\u048a-\u04ff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/u;

/** Whether the folded text contains the hint of any needle; most texts are spared the fold. */
function mayMatch(text: string, needles: readonly Needle[]): boolean {
  const plain = !mayBecomeAscii.test(text) && !needles.some(({ hint }) => beyondAscii.test(hint));
  const glance = plain ? text.toLowerCase() : fold(text);
  return needles.some(({ hint }) => glance.includes(hint));
}

function withStarts(text: string): ReturnType<typeof streamWithOrigins> & { starts: readonly number[] } {
  const { folded, starts } = foldWithOffsets(text);
  return { ...streamWithOrigins(folded), starts };
}

/** The first and the last unit of each place where the needle stands, without the spaces around it. */
function* occurrences(stream: string, { stream: wanted, toWordEnd }: Needle): Generator<[number, number]> {
  const lead = wanted.startsWith(" ") ? 1 : 0;
  const length = wanted.trimEnd().length;
  for (let at = stream.indexOf(wanted); at >= 0; at = stream.indexOf(wanted, at + length)) {
    const end = toWordEnd ? stream.indexOf(" ", at + length) : at + length;
    yield [at + lead, end - 1];
  }
}

/** The stream of a folded text, and for each of its units the offset in the folded text (-1 for the spaces between). */
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

/** From the first and the last folded unit to a range of the original, widened to whole characters. */
function original(first = 0, last = 0, starts?: readonly number[]): { start: number; end: number } {
  if (starts === undefined) return { start: first, end: last + 1 };
  const start = starts[first] ?? 0;
  let next = last + 1;
  while (next < starts.length - 1 && starts[next] === starts[last]) next += 1;
  return { start, end: starts[next] ?? start };
}
