import { type Sql, sql, type Tx } from "@kb/db";
import { rememberTerms, unknownTerms } from "./recent-terms.ts";

/** A team's vocabulary takes no further terms beyond this number, which the documents of most teams never reach. */
export const maxVocabularyTerms = 300_000;

/**
 * Adds words of documents to the team's vocabulary, after the commit of the documents. The vocabulary only proposes
 * corrections of typos: a search shows nothing but documents that the caller may read.
 */
export function addTerms(tx: Tx, teamId: string, terms: readonly string[]): void {
  tx.afterCommit(async (execute) => {
    const added = unknownTerms(teamId, terms);
    if (added.length === 0) return;
    await execute(insertTerms(teamId, added));
    rememberTerms(teamId, added);
  });
}

/** The lock keeps a sweep from deleting a term that was found already there. Sorted terms prevent deadlocks. */
function insertTerms(teamId: string, terms: readonly string[]): Sql {
  return sql`WITH added AS (
      INSERT INTO search_terms ("teamId", term, reversed)
      SELECT ${teamId}::uuid, w.term, w.reversed
      FROM unnest(${terms}::text[], ${terms.map(reverseText)}::text[]) AS w(term, reversed)
      WHERE (SELECT pg_advisory_xact_lock_shared(${vocabularyLock(teamId)})::text) IS NOT NULL
        AND COALESCE((SELECT v.terms FROM search_vocabularies v WHERE v."teamId" = ${teamId}::uuid), 0) < ${maxVocabularyTerms}
      ON CONFLICT DO NOTHING RETURNING 1)
    INSERT INTO search_vocabularies AS known ("teamId", terms)
    SELECT ${teamId}::uuid, count(*)::int FROM added HAVING count(*) > 0
    ON CONFLICT ("teamId") DO UPDATE SET terms = known.terms + EXCLUDED.terms`;
}

/** The key of the lock that a sweep takes exclusively. */
export const vocabularyLock = (teamId: string): Sql => sql`hashtextextended(${`vocabulary:${teamId}`}, 0)`;

/** Returns the characters in reverse order. */
export function reverseText(text: string): string {
  return Array.from(text).reverse().join("");
}
