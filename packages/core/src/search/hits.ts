import { type Actor, readableDocuments } from "@kb/auth";
import { empty, type Reader, raw, type Sql, sql } from "@kb/db";
import { type Filters, filterConditions, statusCondition } from "../documents/filters.ts";
import { type DocumentRow, documentColumns, fromDocuments } from "../documents/row.ts";
import { type Conditions, provenBy } from "./conditions.ts";

/** What text, headings, tags and title weigh, in this order. */
const weights = raw("'{0.05,0.2,0.4,1}'");
/** ts_rank divides by 1 + the logarithm of the length. */
const byLength = raw("1");
/**
 * How many documents are ranked by their words. Of more hits those come in first that have the words in the title, then
 * those changed last; the others follow behind the ranked ones, newest change first.
 */
const rankedHits = 500;

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
  const { matches, inTitle } = conditions;
  const titled = { ...conditions, matches: `(${matches}) & (${inTitle})` };
  const rows = await reader.rows<Hit & { total: number; found: boolean | null }>(sql`
    WITH hit AS MATERIALIZED (${visible(actor, conditions, request)}),
    titled AS MATERIALIZED (SELECT * FROM (${visible(actor, titled, request)}) d ${newest} LIMIT ${ranks}),
    others AS (SELECT * FROM hit WHERE (SELECT count(*) FROM titled) < ${ranks} AND hit.id NOT IN (SELECT titled.id FROM titled)
      ${newest} LIMIT ${ranks} - (SELECT count(*) FROM titled)),
    ranked AS (${ranked(actor, conditions)}),
    page AS (${page(request)})
    SELECT counted.total, shown.* FROM (SELECT count(*)::int AS total FROM hit) counted LEFT JOIN (
      SELECT TRUE AS found, page.score, one.* FROM page CROSS JOIN LATERAL (SELECT ${documentColumns(actor)}
        FROM ${fromDocuments} WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = page.id LIMIT 1) one) shown ON TRUE
    ORDER BY shown.score DESC NULLS LAST, shown."updatedAt" DESC, shown.id`);
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row) => row.found === true).map(({ total: _, found: __, ...hit }) => hit),
  };
}

const ranks = raw(String(rankedHits));
const newest = sql`ORDER BY "updatedAt" DESC, id`;

/**
 * What the index finds, whoever asks. The words are behind a subquery, so that the plan does not depend on them: seeing
 * that a word is common, the planner would rather read every vector than the index, which is many times slower.
 */
function matched(actor: Actor, conditions: Conditions): Sql {
  return sql`SELECT b."documentId" FROM document_bodies b WHERE b."teamId" = ${actor.teamId}::uuid
    AND b.vector @@ (SELECT ${conditions.matches}::tsquery)${provenBy(sql`b.folded`, conditions)}`;
}

/**
 * What the caller may see of the matches. Their ids come as an array, so that each is looked up by its key: the planner cannot
 * know how many match, and would read all documents where twenty would do. `documents_at_a_glance` has all that is asked.
 */
function visible(actor: Actor, conditions: Conditions, filters: Filters): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM documents d WHERE d.id = ANY (ARRAY(${matched(actor, conditions)}))
    AND d."deletedAt" IS NULL AND ${statusCondition(filters.status)} AND ${readableDocuments(actor)}${filterConditions(actor, filters)}`;
}

/** The hits of the page and their scores. Only pages behind the ranked hits have to put all hits in order. */
function page({ limit, offset }: { readonly limit: number; readonly offset: number }): Sql {
  const rest = sql`UNION ALL SELECT hit.id, hit."updatedAt", 0 FROM hit WHERE hit.id NOT IN (SELECT ranked.id FROM ranked)`;
  return sql`SELECT ranked.id, ranked."updatedAt", ranked.score FROM ranked ${offset + limit > rankedHits ? rest : empty}
    ORDER BY score DESC, "updatedAt" DESC, id LIMIT ${limit} OFFSET ${offset}`;
}

/** The score of those that are ranked; never 0, which is that of the others. */
function ranked(actor: Actor, { exact, prefixes }: Conditions): Sql {
  const rank = (words: string): Sql => sql`ts_rank(${weights}, own.vector, ${words}::tsquery, ${byLength})`;
  // Appending nothing gives the vector unpacked, once for both ranks.
  return sql`SELECT best.id, best."updatedAt", 0.7 * ${rank(exact)} + 0.3 * ${rank(prefixes)} AS score
    FROM (SELECT * FROM titled UNION ALL SELECT * FROM others) best
    CROSS JOIN LATERAL (SELECT b.vector || ''::tsvector AS vector FROM document_bodies b
      WHERE b."teamId" = ${actor.teamId}::uuid AND b."documentId" = best.id LIMIT 1) own`;
}
