import { type Actor, readableDocuments } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { type Filters, filterConditions, statusCondition } from "../documents/filters.ts";
import { type DocumentRow, documentColumns, fromDocuments } from "../documents/row.ts";
import type { Conditions } from "./conditions.ts";

/** What text, headings, tags and title weigh, in this order. */
const weights = "{0.05,0.2,0.4,1}";
/** ts_rank divides by 1 + the logarithm of the length. */
const byLength = 1;
/**
 * How many documents are ranked by their words. Of more hits those come in first that have the words in the title, then
 * those changed last; the others follow behind the ranked ones, newest change first.
 */
const rankedHits = 1_000;

export type Hit = DocumentRow & { readonly score: number };
export type HitPage = { readonly total: number; readonly rows: readonly Hit[] };
export const noHits: HitPage = { total: 0, rows: [] };

/** One page of what the caller may see of the hits, with their exact number: 1 statement. */
export async function readHits(
  reader: Reader,
  actor: Actor,
  conditions: Conditions,
  request: Filters & { readonly limit: number; readonly offset: number },
): Promise<HitPage> {
  const rows = await reader.rows<Hit & { total: number; found: boolean }>(sql`
    WITH hit AS MATERIALIZED (${hits(actor, conditions, request)}),
    ranked AS (${ranked(actor, conditions)}),
    page AS (SELECT hit.id, hit."updatedAt", ranked.score FROM hit LEFT JOIN ranked ON ranked.id = hit.id
      ORDER BY ranked.score DESC NULLS LAST, hit."updatedAt" DESC, hit.id LIMIT ${request.limit} OFFSET ${request.offset})
    SELECT counted.total, shown.* FROM (SELECT count(*)::int AS total FROM hit) counted LEFT JOIN (
      SELECT TRUE AS found, page.score AS score, ${documentColumns()} FROM page
      JOIN (${fromDocuments}) ON d."teamId" = ${actor.teamId}::uuid AND d.id = page.id) shown ON TRUE
    ORDER BY shown.score DESC NULLS LAST, shown."updatedAt" DESC, shown.id`);
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row) => row.found).map(({ total: _, found: __, ...hit }) => ({ ...hit, score: hit.score ?? 0 })),
  };
}

function hits(actor: Actor, { matches, like, unlike }: Conditions, filters: Filters): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM ${fromDocuments}
    WHERE b."teamId" = ${actor.teamId}::uuid AND b.vector @@ ${matches}::tsquery
      AND b.folded LIKE ALL (${like}::text[]) AND b.folded NOT LIKE ALL (${unlike}::text[])
      AND d."deletedAt" IS NULL AND ${statusCondition(filters.status)} AND ${readableDocuments(actor)}
      ${filterConditions(actor, filters)}`;
}

function ranked(actor: Actor, { inTitle, exact, prefixes }: Conditions): Sql {
  const rank = (words: string): Sql => sql`ts_rank(${weights}::float4[], b.vector, ${words}::tsquery, ${byLength})`;
  return sql`SELECT best.id, 0.7 * ${rank(exact)} + 0.3 * ${rank(prefixes)} AS score
    FROM (SELECT hit.id FROM hit ORDER BY hit.id IN (SELECT b."documentId" FROM document_bodies b
        WHERE b."teamId" = ${actor.teamId}::uuid AND b.vector @@ ${inTitle}::tsquery) DESC, hit."updatedAt" DESC, hit.id
      LIMIT ${rankedHits}) best
    JOIN document_bodies b ON b."teamId" = ${actor.teamId}::uuid AND b."documentId" = best.id`;
}
