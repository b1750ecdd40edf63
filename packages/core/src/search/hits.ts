import { type Actor, readableDocuments } from "@kb/auth";
import { empty, join, type Reader, raw, type Sql, sql } from "@kb/db";
import { type BodyColumns, listedBodies } from "../documents/body-parts.ts";
import { type Filters, filterConditions, statusCondition } from "../documents/filters.ts";
import { type DocumentRow, documentColumns, withBodies } from "../documents/row.ts";
import type { Conditions, RankedWord } from "./conditions.ts";
import { matchingIds, teamSize } from "./matching-ids.ts";

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
 * Returns the hits to rank: of many, first those in the preferred language, and of these those with the query as their title, then
 * those that begin with it, then those with its words in their title. They are looked up in hashed sets: `IS TRUE` prevents a join, for
 * which the planner would have to know the number of hits. Most hits are in none of the sets of titles, so that the first look-up, in all of
 * them, is their only one.
 */
function candidates({ teamId }: Actor, { matches, language, titleIs, titleBegins, inTitle }: Conditions): Sql {
  const isMany = sql`(SELECT total > ranks FROM counted)`;
  const has = (words: string): Sql => sql`(hit.id IN (${matchingIds(teamId, words)})) IS TRUE`;
  const preferred =
    language === null ? empty : sql`CASE WHEN ${isMany} THEN ${has(`(${matches}) & (${language})`)} END DESC,`;
  const title = sql`CASE WHEN ${has(`(${titleBegins}) | (${inTitle})`)}
    THEN CASE WHEN ${has(titleIs)} THEN 3 WHEN ${has(titleBegins)} THEN 2 ELSE 1 END ELSE 0 END`;
  return sql`SELECT hit.id, hit."updatedAt" FROM hit
    ORDER BY ${preferred} CASE WHEN ${isMany} THEN ${title} END DESC, hit."updatedAt" DESC, hit.id LIMIT (SELECT ranks FROM counted)`;
}

/** Returns the hits of the page with their scores. Only pages after the ranked hits need all hits in order. */
function page({ limit, offset }: { readonly limit: number; readonly offset: number }): Sql {
  const rest = sql`UNION ALL SELECT hit.id, hit."updatedAt", 0 FROM hit WHERE hit.id NOT IN (SELECT best.id FROM best)`;
  return sql`SELECT ranked.id, ranked."updatedAt", ranked.score FROM ranked ${offset + limit > rankedOfManyHits ? rest : empty}
    ORDER BY score DESC, "updatedAt" DESC, id LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * Returns the scores of the ranked hits, which are never 0, the score of the others. A document in the preferred language precedes all
 * others, then a title that is the query, then one that begins with it. An array holds the vector unpacked, so that it is unpacked once.
 */
function ranked({ teamId }: Actor, { language, titleIs, titleBegins, labelIs, ...conditions }: Conditions): Sql {
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
const once = (words: string): Sql => sql`(SELECT ${words}::tsquery)`;
