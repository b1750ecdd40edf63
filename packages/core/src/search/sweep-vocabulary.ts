import { type Database, sql } from "@kb/db";
import { indexed } from "./matching-ids.ts";
import { withUnknownTerms } from "./recent-terms.ts";
import { vocabularyLock } from "./vocabulary.ts";

/** Terms per transaction, in which no document adds any, and per sweep of a team: the next sweep continues. */
const batchSize = 500;
const maxSwept = 50_000;
/** The words of this number of documents are known to be in use, so that frequent words are not looked up. */
const sampleSize = 500;

/** Deletes the terms that no document of their team contains. Returns their number. */
export function sweepVocabularies(database: Database): Promise<number> {
  return withUnknownTerms(() => sweepAll(database));
}

async function sweepAll(database: Database): Promise<number> {
  const teams = await database.acrossTeams.rows<{ teamId: string; sweptTo: string }>(
    sql`SELECT v."teamId", v."sweptTo" FROM search_vocabularies v`,
  );
  let total = 0;
  for (const { teamId, sweptTo } of teams) total += await sweepVocabulary(database, teamId, sweptTo);
  return total;
}

async function sweepVocabulary(database: Database, teamId: string, from: string): Promise<number> {
  const frequent = await readFrequentTerms(database, teamId);
  let sweptTo = from;
  let deleted = 0;
  for (let swept = 0; swept < maxSwept; swept += batchSize) {
    const terms = await readTerms(database, teamId, sweptTo);
    deleted += await deleteUnused(
      database,
      teamId,
      terms.filter((term) => !frequent.has(term)),
    );
    sweptTo = terms.length < batchSize ? "" : (terms.at(-1) ?? "");
    if (sweptTo === "") break;
  }
  await database.execute(sql`UPDATE search_vocabularies v SET "sweptTo" = ${sweptTo},
    terms = (SELECT count(*) FROM search_terms s WHERE s."teamId" = v."teamId") WHERE v."teamId" = ${teamId}::uuid`);
  return deleted;
}

async function readTerms(database: Database, teamId: string, after: string): Promise<string[]> {
  const rows = await database.rows<{ term: string }>(sql`SELECT s.term FROM search_terms s
    WHERE s."teamId" = ${teamId}::uuid AND s.term > ${after} COLLATE "C" ORDER BY s.term LIMIT ${batchSize}`);
  return rows.map(({ term }) => term);
}

async function readFrequentTerms(database: Database, teamId: string): Promise<ReadonlySet<string>> {
  const rows = await database.rows<{ term: string }>(sql`SELECT DISTINCT w.term
    FROM (SELECT b.vector FROM document_bodies b WHERE b."teamId" = ${teamId}::uuid
      ORDER BY b."documentId" DESC LIMIT ${sampleSize}) newest CROSS JOIN LATERAL unnest(tsvector_to_array(newest.vector)) AS w(term)`);
  return new Set(rows.map(({ term }) => term));
}

/**
 * Deletes those of the terms that no document contains. A document that is being written adds its terms after its
 * commit, under the same lock: either the statement here sees the document, or the term is added again.
 */
function deleteUnused(database: Database, teamId: string, terms: readonly string[]): Promise<number> {
  if (terms.length === 0) return Promise.resolve(0);
  return database.transaction(async (tx) => {
    await tx.rows(sql`SELECT pg_advisory_xact_lock(${vocabularyLock(teamId)})::text AS "teamId"`);
    return tx.execute(sql`DELETE FROM search_terms s WHERE s."teamId" = ${teamId}::uuid AND s.term = ANY(${terms}::text[])
      AND NOT EXISTS (SELECT 1 FROM document_bodies b
        WHERE b.vector @@ quote_literal(s.term)::tsquery AND ${indexed(teamId)} OFFSET 0)`);
  });
}
