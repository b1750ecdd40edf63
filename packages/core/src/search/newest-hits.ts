import type { Actor } from "@kb/auth";
import { raw, type Sql, sql } from "@kb/db";
import type { Filters } from "../documents/filters.ts";
import { type Conditions, textConditions } from "./conditions.ts";
import { once } from "./hit-scores.ts";
import { matchingIds } from "./matching-ids.ts";
import { visibleNewest, visibleOneByOne } from "./visible-hits.ts";

/** Of so many of the newest documents, so many must match for the first hits to be looked for among these. */
const sampled = raw("40");
const matchingOfSample = raw("10");
/** At most as many of the newest documents of a team are looked at: to unpack the vector of one takes some 30 µs. */
const maxNewest = raw("1500");

/** Returns whether many of the newest documents match, which takes some milliseconds, on a condition; false without it. */
export function isFrequentLately(actor: Actor, conditions: Conditions, filters: Filters, condition: Sql): Sql {
  return sql`SELECT count(*) >= ${matchingOfSample} FROM (${matchingNewest(actor, conditions, filters, sampled)}) d WHERE ${condition}`;
}

/**
 * Returns the common table expressions from `begins` to `best`, the `count` hits to rank of very many, without finding all of them. They are
 * those that `candidates` chooses of all hits: first those with the words in the title, from the index of words, then those changed last, from
 * the index of times. If the newest documents have fewer hits than that, `best` has fewer rows, and all hits have to be found.
 */
export function bestOfNewest(actor: Actor, conditions: Conditions, filters: Filters, count: Sql): Sql {
  const { teamId } = actor;
  const { titleIs, titleBegins, inTitle } = conditions;
  const titled = (words: string): Sql => matchingIds(teamId, `(${matchesOf(conditions)}) & (${words})`, conditions);
  const newestFirst = sql`"updatedAt" DESC, id`;
  const isShort = (part: Sql): Sql => sql`(SELECT count(*) FROM ${part}) < ${count}`;
  return sql`begins AS MATERIALIZED (${titled(titleBegins)}),
    beginning AS MATERIALIZED (SELECT d.id, d."updatedAt", CASE WHEN (d.id IN (${matchingIds(teamId, titleIs)})) IS TRUE THEN 3 ELSE 2 END AS place
      FROM (${visibleOneByOne(actor, filters, sql`begins`)}) d ORDER BY place DESC, ${newestFirst} LIMIT ${count}),
    mentions AS MATERIALIZED (SELECT found."documentId" FROM (${titled(inTitle)}) found WHERE ${isShort(sql`beginning`)}
      AND (found."documentId" IN (SELECT begins."documentId" FROM begins)) IS NOT TRUE),
    mentioning AS MATERIALIZED (SELECT d.id, d."updatedAt" FROM (${visibleOneByOne(actor, filters, sql`mentions`)}) d
      ORDER BY ${newestFirst} LIMIT ${count}),
    titled AS MATERIALIZED (SELECT id, "updatedAt", place FROM beginning UNION ALL SELECT id, "updatedAt", 1 FROM mentioning
      ORDER BY place DESC, ${newestFirst} LIMIT ${count}),
    newest AS MATERIALIZED (SELECT d.id, d."updatedAt" FROM (${matchingNewest(actor, conditions, filters, maxNewest)}) d
      WHERE (d.id IN (SELECT titled.id FROM titled)) IS NOT TRUE ORDER BY ${newestFirst} LIMIT (SELECT ${count} - count(*) FROM titled)),
    best AS MATERIALIZED (SELECT titled.id, titled."updatedAt" FROM titled UNION ALL SELECT newest.id, newest."updatedAt" FROM newest)`;
}

/** Returns the hits among the newest documents, newest change first. The limit keeps the vector packed until it is compared. */
function matchingNewest(actor: Actor, conditions: Conditions, filters: Filters, count: Sql): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM (${visibleNewest(actor, filters, count)}) d
      CROSS JOIN LATERAL (SELECT b.vector, b.folded FROM document_bodies b
        WHERE b."teamId" = ${actor.teamId}::uuid AND b."documentId" = d.id LIMIT 1) own
      WHERE own.vector @@ ${once(matchesOf(conditions))} AND ${textConditions(sql`own.folded`, conditions)}`;
}

/** Returns the tsquery of the hits that come first: those in the preferred language, if there is one. */
const matchesOf = ({ matches, language }: Conditions): string =>
  language === null ? matches : `(${matches}) & (${language})`;
