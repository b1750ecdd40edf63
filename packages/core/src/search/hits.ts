import { type Actor, readableDocuments } from "@kb/auth";
import { empty, type Reader, raw, type Sql, sql } from "@kb/db";
import { type BodyColumns, listedBodies } from "../documents/body-parts.ts";
import { type Filters, filterConditions, statusCondition } from "../documents/filters.ts";
import { type DocumentRow, documentColumns, withBodies } from "../documents/row.ts";
import type { Conditions } from "./conditions.ts";
import { matchingIds, teamSize } from "./matching-ids.ts";

/** The weights of text, headings, tags and title. */
const weights = raw("'{0.05,0.2,0.4,1}'");
/** Makes ts_rank divide by 1 + the logarithm of the length. */
const byLength = raw("1");
/** Up to this number of hits, all are ranked by their words. */
const rankedHits = 500;
/**
 * The number of documents that are ranked of more hits: those with the words in the title come first, then those
 * changed last. The others follow the ranked ones, newest change first. Ranking reads a vector of several kB.
 */
const rankedOfManyHits = 200;

/** A hit with its score. Its text is left out if the bodies before it are large. */
export type Hit = DocumentRow & BodyColumns & { readonly score: number };
/** A page of hits with the total number. */
export type HitPage = { readonly total: number; readonly rows: readonly Hit[] };
/** The page of a search without hits. */
export const noHits: HitPage = { total: 0, rows: [] };

/** Reads a page of the hits that the caller may see, with their exact number: 1 statement. */
export async function readHits(
  reader: Reader,
  actor: Actor,
  conditions: Conditions,
  request: Filters & { readonly limit: number; readonly offset: number },
): Promise<HitPage> {
  const rows = await reader.rows<Hit & { total: number; found: boolean | null }>(sql`
    WITH team AS MATERIALIZED (${teamSize(actor.teamId)}),
    match AS MATERIALIZED (${matchingIds(actor.teamId, conditions.matches, conditions)}),
    scope AS MATERIALIZED (SELECT count(*) > GREATEST(${manyMatches}::int, ${largePart} * (SELECT documents FROM team)) AS "isLarge"
      FROM match),
    hit AS MATERIALIZED (${visible(actor, request)}),
    counted AS MATERIALIZED (SELECT count(*)::int AS total,
      CASE WHEN count(*) > ${ranks} THEN ${ranksOfMany} ELSE ${ranks} END AS ranks FROM hit),
    best AS MATERIALIZED (${candidates(actor, conditions)}),
    ranked AS (${ranked(actor, conditions)}),
    page AS (${page(request)})
    SELECT counted.total, shown.* FROM counted LEFT JOIN (
      SELECT TRUE AS found, page.score, ${documentColumns(actor, {}, listedBodies({}, hitOrder))}
        FROM page CROSS JOIN LATERAL (SELECT own.* FROM documents own
          WHERE own."teamId" = ${actor.teamId}::uuid AND own.id = page.id LIMIT 1) d ${withBodies}) shown ON TRUE
    ORDER BY shown.score DESC NULLS LAST, shown."updatedAt" DESC, shown.id`);
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row) => row.found === true).map(({ total: _, found: __, ...hit }) => hit),
  };
}

const hitOrder = sql`page.score DESC, d."updatedAt" DESC, d.id`;
const ranks = raw(String(rankedHits));
const ranksOfMany = raw(String(rankedOfManyHits));

/** With more matches than this, and more than this part of the team's documents, all of its documents are read in one go. */
const manyMatches = 1_000;
const largePart = raw("0.2");

/**
 * Returns the matches that the caller may see. The planner cannot know their number, and without statistics it would read
 * all documents. Therefore `scope` decides: few matches are looked up by their key, one after the other; many are compared with
 * a hashed set of the matches (`IS TRUE` prevents a join). `documents_at_a_glance` contains all columns, and the columns
 * are named because a union would read the others, too. The order is that of the index, so that no other teams are read.
 */
function visible(actor: Actor, filters: Filters): Sql {
  const columns = sql`own."teamId", own.id, own."collectionId", own."createdById", own."publishedAt", own."archivedAt",
    own."deletedAt", own."updatedAt"`;
  const ofTeam = sql`own."teamId" = ${actor.teamId}::uuid`;
  return sql`SELECT d.id, d."updatedAt" FROM (
      SELECT one.* FROM match CROSS JOIN LATERAL (SELECT ${columns} FROM documents own
        WHERE ${ofTeam} AND own.id = match."documentId" LIMIT 1) one WHERE NOT (SELECT "isLarge" FROM scope)
      UNION ALL
      (SELECT ${columns} FROM documents own WHERE (SELECT "isLarge" FROM scope) AND ${ofTeam}
        AND (own.id IN (SELECT match."documentId" FROM match)) IS TRUE ORDER BY own."teamId", own.id)
      OFFSET 0) d
    WHERE d."deletedAt" IS NULL AND ${statusCondition(filters.status)} AND ${readableDocuments(actor)}${filterConditions(actor, filters)}`;
}

/**
 * Returns the hits to rank. A hit with the words in its title is looked up in a hashed set: `IS TRUE` prevents a join,
 * for which the planner would have to know the number of hits.
 */
function candidates({ teamId }: Actor, { inTitle }: Conditions): Sql {
  const titled = matchingIds(teamId, inTitle);
  return sql`SELECT hit.id, hit."updatedAt" FROM hit
    ORDER BY CASE WHEN (SELECT total > ranks FROM counted) THEN (hit.id IN (${titled})) IS TRUE END DESC,
      hit."updatedAt" DESC, hit.id LIMIT (SELECT ranks FROM counted)`;
}

/** Returns the hits of the page with their scores. Only pages after the ranked hits need all hits in order. */
function page({ limit, offset }: { readonly limit: number; readonly offset: number }): Sql {
  const rest = sql`UNION ALL SELECT hit.id, hit."updatedAt", 0 FROM hit WHERE hit.id NOT IN (SELECT best.id FROM best)`;
  return sql`SELECT ranked.id, ranked."updatedAt", ranked.score FROM ranked ${offset + limit > rankedOfManyHits ? rest : empty}
    ORDER BY score DESC, "updatedAt" DESC, id LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * Returns the scores of the ranked hits. They are never 0, which is the score of the others. An array holds the vector
 * unpacked, so that two ranks unpack it once.
 */
function ranked({ teamId }: Actor, { exact, prefixes }: Conditions): Sql {
  const rank = (words: string): Sql => sql`ts_rank(${weights}, own.vector[1], ${words}::tsquery, ${byLength})`;
  const score = exact === prefixes ? rank(exact) : sql`0.7 * ${rank(exact)} + 0.3 * ${rank(prefixes)}`;
  return sql`SELECT best.id, best."updatedAt", ${score} AS score FROM best
    CROSS JOIN LATERAL (SELECT ARRAY[b.vector] AS vector FROM document_bodies b
      WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = best.id LIMIT 1) own`;
}
