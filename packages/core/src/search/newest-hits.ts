import type { Actor } from "@kb/auth";
import { raw, type Sql, sql } from "@kb/db";
import type { Filters } from "../documents/filters.ts";
import { type Conditions, textConditions } from "./conditions.ts";
import { once } from "./hit-scores.ts";
import { matchingIds } from "./matching-ids.ts";
import { visibleNewest, visibleNewestOf, visibleOfNewest, visibleOneByOne } from "./visible-hits.ts";

/** At most as many of the newest documents of a team are looked at: to unpack the vector of one takes some 30 µs. */
const maxNewest = raw("1500");
/**
 * Of the newest documents, one in so many is a sample, and so many of these must match for the first hits to be looked for among the newest. The
 * sample is spread, because documents that changed together, such as those of an import, often have or lack a word together.
 */
const oneInSampled = 37;
const matchingOfSample = raw("10");
/** At most as many matches are looked up for the first hits of a word that is rare among the newest documents, of which the caller may see only some. */
const maxLookedUp = raw("20000");

/** Returns whether many of the newest documents match, which takes some milliseconds, on a condition; false without it. */
export function isFrequentLately(actor: Actor, conditions: Conditions, filters: Filters, condition: Sql): Sql {
  const sample = visibleOfNewest(actor, filters, maxNewest, oneInSampled);
  return sql`SELECT count(*) >= ${matchingOfSample} FROM (${matching(actor, conditions, sample)}) d WHERE ${condition}`;
}

/**
 * Returns the common table expressions from `begins` to `best`, the `count` hits to rank of very many, without finding all of them. They are
 * those that `candidates` chooses of all hits: first those with the words in the title, from the index of words, then those changed last, from
 * the index of times: of a word that `isFrequentLately`, the newest documents that match, of another one, the newest of all that match. If these
 * are fewer hits than that, `best` has fewer rows, and all hits have to be found.
 */
export function bestOfNewest(
  actor: Actor,
  conditions: Conditions,
  filters: Filters,
  count: Sql,
  isFrequent: boolean,
): Sql {
  const { teamId } = actor;
  const { matches, titleIs, titleBegins, inTitle } = conditions;
  const idsOf = (words: string): Sql => matchingIds(teamId, preferred(words, conditions), conditions);
  const newestFirst = sql`"updatedAt" DESC, id`;
  const newestHits = isFrequent
    ? matching(actor, conditions, visibleNewest(actor, filters, maxNewest))
    : visibleNewestOf(actor, filters, idsOf(matches), maxLookedUp);
  const isShort = (part: Sql): Sql => sql`(SELECT count(*) FROM ${part}) < ${count}`;
  return sql`begins AS MATERIALIZED (${idsOf(`(${matches}) & (${titleBegins})`)}),
    beginning AS MATERIALIZED (SELECT d.id, d."updatedAt", CASE WHEN (d.id IN (${matchingIds(teamId, titleIs)})) IS TRUE THEN 3 ELSE 2 END AS place
      FROM (${visibleOneByOne(actor, filters, sql`begins`)}) d ORDER BY place DESC, ${newestFirst} LIMIT ${count}),
    mentions AS MATERIALIZED (SELECT found."documentId" FROM (${idsOf(inTitle)}) found WHERE ${isShort(sql`beginning`)}
      AND (found."documentId" IN (SELECT begins."documentId" FROM begins)) IS NOT TRUE),
    mentioning AS MATERIALIZED (SELECT d.id, d."updatedAt" FROM (${visibleOneByOne(actor, filters, sql`mentions`)}) d
      ORDER BY ${newestFirst} LIMIT ${count}),
    titled AS MATERIALIZED (SELECT id, "updatedAt", place FROM beginning UNION ALL SELECT id, "updatedAt", 1 FROM mentioning
      ORDER BY place DESC, ${newestFirst} LIMIT ${count}),
    newest AS MATERIALIZED (SELECT d.id, d."updatedAt" FROM (${newestHits}) d
      WHERE (d.id IN (SELECT titled.id FROM titled)) IS NOT TRUE ORDER BY ${newestFirst} LIMIT (SELECT ${count} - count(*) FROM titled)),
    best AS MATERIALIZED (SELECT titled.id, titled."updatedAt" FROM titled UNION ALL SELECT newest.id, newest."updatedAt" FROM newest)`;
}

/** Returns those of visible documents that match. The limit keeps the vector packed until it is compared. */
function matching(actor: Actor, conditions: Conditions, visible: Sql): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM (${visible}) d
      CROSS JOIN LATERAL (SELECT b.vector, b.folded FROM document_bodies b
        WHERE b."teamId" = ${actor.teamId}::uuid AND b."documentId" = d.id LIMIT 1) own
      WHERE own.vector @@ ${once(preferred(conditions.matches, conditions))} AND ${textConditions(sql`own.folded`, conditions)}`;
}

/** Returns the tsquery of those hits that come first: those in the preferred language, if there is one. */
const preferred = (words: string, { language }: Conditions): string =>
  language === null ? words : `(${words}) & (${language})`;
