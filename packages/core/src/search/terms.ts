import { join, type Reader, type Sql, sql } from "@kb/db";
import { withinOneEdit } from "./edit-distance.ts";

/**
 * The statement that adds words to the team's vocabulary, to stand behind the one that writes the body. It runs while the
 * team's clock is locked; the words come sorted, so that two writers would wait for each other in one order at worst.
 * Words stay when their document goes: whatever a query takes from the vocabulary is only ever used to find documents that
 * the caller may read.
 */
export function addTerms(teamId: string, terms: readonly string[]): Sql {
  return sql`INSERT INTO search_terms ("teamId", term, reversed)
    SELECT ${teamId}::uuid, w.term, w.reversed FROM unnest(${terms}::text[], ${terms.map(reverse)}::text[]) AS w(term, reversed)
    ON CONFLICT DO NOTHING`;
}

function reverse(text: string): string {
  return Array.from(text).reverse().join("");
}

/** Words shorter than this are never taken for a typo. */
const minWordLength = 5;
// A query of many words is hardly a slip of one finger; the bound keeps the statement small.
const maxWords = 12;
const maxReplacements = 20;

/**
 * For each word of five letters or more the team's words that one slip (a letter too much, too few, another, or two
 * swapped) makes of it: 1 statement at most.
 */
export async function similarTerms(
  reader: Reader,
  teamId: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = words.filter((word) => /^[\p{L}\p{M}]{5,40}$/u.test(word) && Array.from(word).length >= minWordLength);
  if (asked.length === 0) return new Map();
  const branches = asked.slice(0, maxWords).flatMap((word) => candidates(teamId, word));
  const rows = await reader.rows<{ term: string }>(join(branches, " UNION "));
  return new Map(
    asked.map((word) => {
      const close = rows.map((row) => row.term).filter((term) => term !== word && withinOneEdit(word, term));
      return [word, close.sort().slice(0, maxReplacements)];
    }),
  );
}

/**
 * One slip leaves the first half of a word as it was, or the second half, or it swaps the two letters where they meet.
 * Each case is a range of an index whose order is that of the bytes.
 */
function candidates(teamId: string, word: string): Sql[] {
  const letters = Array.from(word);
  const half = letters.length >> 1;
  const swapped = [...letters.slice(0, half - 1), letters[half], letters[half - 1], ...letters.slice(half + 1)].join(
    "",
  );
  const length = sql`char_length(s.term) BETWEEN ${letters.length - 1} AND ${letters.length + 1}`;
  const team = sql`SELECT s.term FROM search_terms s WHERE s."teamId" = ${teamId}::uuid`;
  const first = letters.slice(0, half).join("");
  const last = letters.slice(half).reverse().join("");
  return [
    sql`${team} AND s.term COLLATE "C" >= ${first} AND s.term COLLATE "C" < ${afterPrefix(first)} AND ${length}`,
    sql`${team} AND s.reversed COLLATE "C" >= ${last} AND s.reversed COLLATE "C" < ${afterPrefix(last)} AND ${length}`,
    sql`${team} AND s.term = ${swapped}`,
  ];
}

/** In the order of code points the end of everything that begins with the prefix. */
function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
