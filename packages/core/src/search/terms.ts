import { type Reader, sql } from "@kb/db";
import { withinOneEdit } from "./edit-distance.ts";

/** Shorter words are never treated as typos. */
const minWordLength = 5;
/** Of more words, only the first are corrected. */
const maxWords = 12;
/** The number of terms that all words of a query may examine together, and the number that they may take. */
const budget = { examined: 12_000, taken: 120 };
const maxReplacements = 20;

/**
 * Returns, for each word of five letters or more, the words of the team's vocabulary that are one typo away: at most 1
 * statement. In a vocabulary in which very many words begin or end alike, it finds only some of them.
 */
export async function similarTerms(
  reader: Reader,
  teamId: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const corrected = words
    .filter((word) => /^[\p{L}\p{M}]{5,40}$/u.test(word) && Array.from(word).length >= minWordLength)
    .slice(0, maxWords);
  if (corrected.length === 0) return new Map();
  const candidates = await readCandidates(reader, teamId, corrected.map(rangesOf));
  const maxTaken = Math.min(maxReplacements, Math.floor(budget.taken / corrected.length));
  return new Map(
    corrected.map((word, index) => {
      const close = candidates
        .filter((candidate) => candidate.word === index + 1 && candidate.term !== word)
        .map(({ term }) => term)
        .filter((term) => withinOneEdit(word, term));
      return [word, [...new Set(close)].sort().slice(0, maxTaken)];
    }),
  );
}

/** The ranges of the vocabulary in which the corrections of a word lie. */
type Ranges = {
  readonly beginning: string;
  /** The end of the word, reversed. */
  readonly ending: string;
  readonly swapped: string;
  readonly length: number;
};

/**
 * A typo leaves the first or the second half of a word intact, or swaps the two letters in the middle. Each case is a
 * range of an index in byte order.
 */
function rangesOf(word: string): Ranges {
  const letters = Array.from(word);
  const half = letters.length >> 1;
  const middle = [letters[half], letters[half - 1]];
  return {
    beginning: letters.slice(0, half).join(""),
    ending: letters.slice(half).reverse().join(""),
    swapped: [...letters.slice(0, half - 1), ...middle, ...letters.slice(half + 1)].join(""),
    length: letters.length,
  };
}

/** Reads the terms in the ranges, by the number of their word, from 1. The limits bound the rows that are read. */
async function readCandidates(
  reader: Reader,
  teamId: string,
  ranges: readonly Ranges[],
): Promise<{ word: number; term: string }[]> {
  const column = (read: (range: Ranges) => string): string[] => ranges.map(read);
  const perRange = Math.floor(budget.examined / (2 * ranges.length));
  return reader.rows(sql`SELECT w.word::int AS word, found.term
    FROM unnest(${column(({ beginning }) => beginning)}::text[], ${column(({ beginning }) => afterPrefix(beginning))}::text[],
      ${column(({ ending }) => ending)}::text[], ${column(({ ending }) => afterPrefix(ending))}::text[],
      ${column(({ swapped }) => swapped)}::text[], ${ranges.map(({ length }) => length)}::int[])
      WITH ORDINALITY AS w(beginning, "beginningTo", ending, "endingTo", swapped, length, word)
    CROSS JOIN LATERAL (
      (SELECT s.term FROM search_terms s WHERE s."teamId" = ${teamId}::uuid
        AND s.term >= w.beginning COLLATE "C" AND s.term < w."beginningTo" COLLATE "C" LIMIT ${perRange})
      UNION ALL
      (SELECT s.term FROM search_terms s WHERE s."teamId" = ${teamId}::uuid
        AND s.reversed >= w.ending COLLATE "C" AND s.reversed < w."endingTo" COLLATE "C" LIMIT ${perRange})
      UNION ALL
      (SELECT s.term FROM search_terms s WHERE s."teamId" = ${teamId}::uuid AND s.term = w.swapped COLLATE "C")
    ) found
    WHERE char_length(found.term) BETWEEN w.length - 1 AND w.length + 1`);
}

/** Returns the end of the range of all texts with the prefix, in the order of code points. */
function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
