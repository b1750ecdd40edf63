import type { Actor } from "@kb/auth";
import { empty, type Reader, raw, type Sql, sql, withGenericPlan, withMoreMemory } from "@kb/db";
import { type BodyColumns, listedBodies } from "../documents/body-parts.ts";
import type { Filters } from "../documents/filters.ts";
import { type DocumentRow, documentColumns, withBodies } from "../documents/row.ts";
import type { Conditions } from "./conditions.ts";
import { extentOfMatches } from "./extent.ts";
import { scores } from "./hit-scores.ts";
import { matchingIds, teamSize } from "./matching-ids.ts";
import { bestOfNewest, isFrequentLately, matchesInScope } from "./newest-hits.ts";
import { scopeOfMatches, visible } from "./visible-hits.ts";

/** Up to this number of hits, all are ranked by their words. */
const rankedHits = 500;
/**
 * The number of documents that are ranked of more hits: those with the words in the title come first, then those
 * changed last. The others follow the ranked ones, newest change first. Ranking reads a vector of several kB.
 */
const rankedOfManyHits = 200;
const ranks = raw(String(rankedHits));
const ranksOfMany = raw(String(rankedOfManyHits));

/**
 * The number of hits up to which the total is exact. To count hundreds of thousands would take most of the time of a search. Twice as many
 * matches are looked at before the hits count as too many to look up one by one: the caller may see only some.
 */
const countedHits = 10_000;

/** A hit with its score. Its text is left out if the bodies before it are large. */
export type Hit = DocumentRow & BodyColumns & { readonly score: number };
/** A page of hits with their total number, or the number that there are at least. */
export type HitPage = { readonly total: number; readonly totalIsMinimum?: true; readonly rows: readonly Hit[] };
/** The page of a search without hits. */
export const noHits: HitPage = { total: 0, rows: [] };

type PageRequest = Filters & { readonly limit: number; readonly offset: number };

/**
 * Reads a page of the hits that the caller may see, with their number: 1 statement. Of more than `counted` hits, another statement reads the first
 * pages from the newest hits, and a third one if it finds too few. The number is exact up to `counted`, and on pages that reach beyond, so that one
 * can page through all hits. It depends on visible documents only.
 */
export async function readHits(
  reader: Reader,
  actor: Actor,
  conditions: Conditions,
  request: PageRequest,
  counted = countedHits,
): Promise<HitPage> {
  const end = request.offset + request.limit;
  const page = await readUntilDone(
    reader,
    () => allHits(actor, conditions, request, counted, end <= rankedOfManyHits),
    (isFrequent) => newestHits(actor, conditions, request, counted, isFrequent),
    () => allHits(actor, conditions, request, counted, false),
  );
  if (page.total <= counted || end >= counted) return page;
  return { ...page, total: counted, totalIsMinimum: true };
}

/** A row of a statement. `total` is null if another statement has to find the page; `isFrequent` then says whether the newest documents contain many hits. */
type PageRow = Hit & { total: number | null; isFrequent: boolean | null; found: boolean | null };

/**
 * Reads the page that the first of the statements with a total returns. Each is told what the one before has found out. Their plans do not depend on
 * the values, and to plan one takes longer than most searches.
 */
async function readUntilDone(reader: Reader, ...statements: ((isFrequent: boolean) => Sql)[]): Promise<HitPage> {
  let isFrequent = false;
  for (const statement of statements) {
    const rows: PageRow[] = await reader.rows<PageRow>(withMoreMemory(withGenericPlan(statement(isFrequent))));
    const total = rows[0]?.total ?? null;
    isFrequent = rows[0]?.isFrequent === true;
    if (total === null) continue;
    return {
      total,
      rows: rows.filter((row) => row.found === true).map(({ total: _, isFrequent: __, found: ___, ...hit }) => hit),
    };
  }
  return noHits;
}

/**
 * Returns the statement of any search, which finds all hits. If it `mayStop`, it returns no total where there are more than `counted` hits, but
 * whether the newest documents contain many of them.
 */
function allHits(actor: Actor, conditions: Conditions, request: PageRequest, counted: number, mayStop: boolean): Sql {
  const isMany = sql`(SELECT "isMany" FROM extent)`;
  const course = mayStop
    ? sql`${isMany} AS stops, (${isFrequentLately(actor, conditions, request, isMany)}) AS "isFrequent"`
    : sql`FALSE AS stops, FALSE AS "isFrequent"`;
  return pageStatement(
    actor,
    conditions,
    sql`${matchesInScope(actor, conditions, request)},
    ${extentOfMatches(actor, conditions, request, counted)},
    course AS MATERIALIZED (SELECT (SELECT "isOver" FROM extent) AND NOT stops AS "isWhole", stops, "isFrequent" FROM (SELECT ${course} OFFSET 0) course),
    scope AS MATERIALIZED (${scopeOfMatches(actor, request)}),
    hit AS MATERIALIZED (${visible(actor, request)}),
    number AS MATERIALIZED (SELECT CASE WHEN NOT stops THEN (SELECT count(*)::int FROM hit) END AS total, "isFrequent" FROM course),
    counted AS MATERIALIZED (SELECT total, "isFrequent", CASE WHEN total > ${ranks} THEN ${ranksOfMany} WHEN total > 0 THEN ${ranks} ELSE 0 END AS ranks
      FROM number),
    best AS MATERIALIZED (${candidates(actor, conditions)})`,
    hitsOfPage(request),
  );
}

/** Returns the statement of a search whose first page comes from the newest hits. It returns no total if it finds too few of them. */
function newestHits(
  actor: Actor,
  conditions: Conditions,
  request: PageRequest,
  counted: number,
  isFrequent: boolean,
): Sql {
  return pageStatement(
    actor,
    conditions,
    sql`${bestOfNewest(actor, conditions, request, ranksOfMany, isFrequent)},
    counted AS MATERIALIZED (SELECT CASE WHEN count(*) >= ${ranksOfMany} THEN ${counted}::int + 1 END AS total, FALSE AS "isFrequent" FROM best)`,
    hitsOfPage(request, sql`(SELECT total FROM counted) IS NOT NULL`),
  );
}

const hitOrder = sql`page.score DESC, d."updatedAt" DESC, d.id`;

/** Returns the statement of a page. `parts` are the common table expressions to `counted` and `best`. */
function pageStatement(actor: Actor, conditions: Conditions, parts: Sql, page: Sql): Sql {
  return sql`
    WITH team AS MATERIALIZED (${teamSize(actor.teamId)}),
    ${parts},
    ranked AS (${scores(actor, conditions)}),
    page AS (${page})
    SELECT counted.total, counted."isFrequent", shown.* FROM counted LEFT JOIN (
      SELECT TRUE AS found, page.score, ${documentColumns(actor, {}, listedBodies({}, hitOrder))}
        FROM page CROSS JOIN LATERAL (SELECT own.* FROM documents own
          WHERE own."teamId" = ${actor.teamId}::uuid AND own.id = page.id LIMIT 1) d ${withBodies}) shown ON TRUE
    ORDER BY shown.score DESC NULLS LAST, shown."updatedAt" DESC, shown.id`;
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

/** Returns the hits of the page with their scores, on a condition. Only pages after the ranked hits need all hits in order. */
function hitsOfPage({ limit, offset }: PageRequest, condition?: Sql): Sql {
  const rest = sql`UNION ALL SELECT hit.id, hit."updatedAt", 0 FROM hit
      WHERE hit.id NOT IN (SELECT best.id FROM best) AND (SELECT total FROM counted) IS NOT NULL`;
  return sql`SELECT ranked.id, ranked."updatedAt", ranked.score FROM ranked ${condition === undefined ? empty : sql`WHERE ${condition}`}
    ${offset + limit > rankedOfManyHits ? rest : empty} ORDER BY score DESC, "updatedAt" DESC, id LIMIT ${limit} OFFSET ${offset}`;
}
