import type { Actor } from "@kb/auth";
import { empty, join, raw, type Sql, sql } from "@kb/db";
import type { Conditions, RankedWord } from "./conditions.ts";

/** The weights of text, headings, tags and title. */
const weights = raw("'{0.1,0.3,0.4,1}'");
/** The weighted frequency at which a word counts half: further occurrences count less and less. */
const halfFrequency = raw("0.1");
/** The part of the frequency that a long document loses, for each factor e of its number of words. */
const lengthPenalty = raw("0.05");
/** The shares of the words and of a tag or heading that is the query. Their sum is less than 1, the score of a title that begins with it. */
const wordShare = raw("0.89");
const labelShare = raw("0.1");
/** More than any title scores. */
const languageScore = raw("3");

/**
 * Returns the scores of the hits in `best`, which are never 0, the score of the others. A document in the preferred language precedes all
 * others, then a title that is the query, then one that begins with it. An array holds the vector unpacked, so that it is unpacked once.
 */
export function scores({ teamId }: Actor, { language, titleIs, titleBegins, labelIs, ...conditions }: Conditions): Sql {
  const matches = (words: string): Sql => sql`own.vector[1] @@ ${once(words)}`;
  const has = (words: string): Sql => sql`(${matches(words)})::int`;
  const words = join(conditions.ranked.map(wordScore), " + ");
  const preferred = language === null ? empty : sql`${languageScore} * ${has(language)} +`;
  return sql`SELECT best.id, best."updatedAt", ${preferred} CASE WHEN ${matches(titleBegins)} THEN 1 + ${has(titleIs)} ELSE 0 END + ${labelShare} * ${has(labelIs)}
      + ${wordShare} * (${words}) / ${conditions.ranked.length}::int + 0.0001 AS score FROM best
    CROSS JOIN LATERAL (SELECT ARRAY[b.vector] AS vector FROM document_bodies b
      WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = best.id LIMIT 1) own`;
}

/**
 * Returns how well a document matches a word, from 0 to 1, like BM25F: the weighted frequencies of the fields are added before they are
 * bounded, so that a long page with the word in its headings does not lose to a short one. `ts_rank` adds them.
 */
function wordScore({ exact, prefixes }: RankedWord): Sql {
  const rank = (words: string): Sql => sql`ts_rank(${weights}, own.vector[1], ${once(words)})`;
  const frequency = exact === prefixes ? rank(exact) : sql`(${rank(exact)} + ${rank(prefixes)}) / 2`;
  const shortened = sql`${halfFrequency} * (1 + ${lengthPenalty} * ln(1 + length(own.vector[1])))`;
  return sql`(1 - 1 / (1 + (${frequency}) / (${shortened})))`;
}

/** Returns a tsquery that is parsed once in the statement. */
export const once = (words: string): Sql => sql`(SELECT ${words}::tsquery)`;
