import type { Actor } from "@kb/auth";
import { empty, raw, type Sql, sql } from "@kb/db";
import type { Filters } from "../documents/filters.ts";
import { type Conditions, hasTexts, type TextConditions, textConditions } from "./conditions.ts";
import { once } from "./hit-scores.ts";
import { matchingIds } from "./matching-ids.ts";
import {
  documentsInScope,
  visibleInCollection,
  visibleNewest,
  visibleNewestOf,
  visibleOfNewest,
  visibleOneByOne,
} from "./visible-hits.ts";

/** At most as many of the newest documents of a team are looked at: to unpack the vector of one takes some 30 µs. */
const maxNewest = raw("1500");
/**
 * Of the newest documents, one in so many is a sample, and so many of these must match for the first hits to be looked for among the newest. The
 * sample is spread, because documents that changed together, such as those of an import, often have or lack a word together.
 */
const oneInSampled = 37;
const matchingOfSample = raw("10");
/** A collection is read instead of the index where at least one in so many documents of its sample matches. */
const oneInMatching = 4;
/** Up to this number of matches, the newest are found by looking all of them up; of more, by walking the index of times. */
const fewMatches = raw("2000");
/** At most as many matches are looked up for the first hits of a word that is rare among the newest documents, of which the caller may see only some. */
const maxLookedUp = raw("20000");

/** Returns whether many of the newest documents match, which takes some milliseconds, on a condition; false without it. */
export function isFrequentLately(actor: Actor, conditions: Conditions, filters: Filters, condition: Sql): Sql {
  const [{ matches }] = groupsOf(conditions);
  return sql`SELECT count(*) >= ${matchingOfSample} FROM (${matchingOfSampled(actor, conditions, filters, matches)}) d WHERE ${condition}`;
}

/**
 * Returns the common table expressions to `match`, the documents that match, whoever sees them. The index of words knows no collections: where a
 * sample of a small one often matches, the collection is read instead, so that `match` has only those that the caller sees.
 */
export function matchesInScope(actor: Actor, conditions: Conditions, filters: Filters): Sql {
  const { matches } = conditions;
  const byIndex = matchingIds(actor.teamId, matches, conditions);
  if (filters.collectionId === undefined) return sql`match AS MATERIALIZED (${byIndex})`;
  const ofCollection = matching(actor, conditions, matches, visibleInCollection(actor, filters));
  const isRead = sql`(SELECT "isRead" FROM collection)`;
  return sql`collection AS MATERIALIZED (SELECT CASE WHEN documents <= ${maxNewest} THEN documents < ${oneInSampled * oneInMatching}::int *
        (SELECT count(*) FROM (${matchingOfSampled(actor, conditions, filters, matches)}) d) ELSE FALSE END AS "isRead"
      FROM (SELECT ${documentsInScope(actor, filters)} AS documents OFFSET 0) size),
    match AS MATERIALIZED (SELECT found."documentId" FROM (${byIndex}) found WHERE NOT ${isRead}
      UNION ALL SELECT d.id FROM (${ofCollection}) d WHERE ${isRead})`;
}

/** The tsqueries of hits that come before those of the next group. */
type Group = Pick<Conditions, "matches" | "begins" | "inTitle">;

/** Returns the groups of hits: those in the preferred language, if there is one, and all. */
function groupsOf({ matches, begins, inTitle, language }: Conditions): readonly [Group, Group?] {
  const all = { matches, begins, inTitle };
  if (language === null) return [all];
  const preferred = (words: string): string => `(${words}) & (${language})`;
  return [{ matches: preferred(matches), begins: preferred(begins), inTitle: preferred(inTitle) }, all];
}

/**
 * Returns the common table expressions to `best`, the `count` hits to rank of very many, without finding all of them. They are those that
 * `candidates` chooses of all hits: those in the preferred language and, if these are fewer, the others. If that leaves hits out that may be
 * among them, `best` has fewer rows, and all hits have to be found.
 */
export function bestOfNewest(
  actor: Actor,
  conditions: Conditions,
  filters: Filters,
  count: Sql,
  isFrequent: boolean,
): Sql {
  const [first, others] = groupsOf(conditions);
  const hits = (group: GroupRequest): Sql => firstOfGroup(actor, conditions, filters, group);
  // Older documents than those that are read may be in the language, too.
  if (others === undefined || isFrequent) return hits({ ...first, name: "best", needed: count, isFrequent });
  const areAll = sql`NOT EXISTS (SELECT 1 FROM matches_of_preferred OFFSET ${maxLookedUp})`;
  const missing = sql`(SELECT CASE WHEN count(*) < ${count} AND ${areAll} THEN ${count} - count(*) ELSE 0 END FROM preferred)`;
  return sql`${hits({ ...first, name: "preferred", needed: count, isFrequent })},
    ${hits({ ...others, name: "others", needed: missing, isFrequent, after: sql`preferred` })},
    best AS MATERIALIZED (SELECT * FROM preferred UNION ALL SELECT * FROM others)`;
}

type GroupRequest = Group & {
  /** The name of the common table expression of the group. */
  readonly name: "best" | "preferred" | "others";
  /** The number of hits to find. */
  readonly needed: Sql;
  readonly isFrequent: boolean;
  /** The common table expression of the group before, whose hits are left out. */
  readonly after?: Sql;
};

const newestFirst = sql`"updatedAt" DESC, id`;

/**
 * Returns the common table expressions to `name`, the first hits of a group: those with the words in the title, from the index of words, then
 * those changed last: of a word that `isFrequentLately`, the newest documents that match, of another one, the newest of all that match.
 */
function firstOfGroup(actor: Actor, conditions: Conditions, filters: Filters, group: GroupRequest): Sql {
  const { name, needed, isFrequent, after } = group;
  const part = (kind: string): Sql => raw(`${kind}_of_${name}`);
  const begins = part("begins");
  const beginning = part("beginning");
  const mentions = part("mentions");
  const mentioning = part("mentioning");
  const titled = part("titled");
  const matches = part("matches");
  const rest = after === undefined ? empty : sql`AND (found."documentId" IN (SELECT id FROM ${after})) IS NOT TRUE`;
  const idsOf = (words: string, condition: Sql, texts?: TextConditions): Sql => sql`SELECT found."documentId"
      FROM (${matchingIds(actor.teamId, words, texts)}) found WHERE ${condition} ${rest}`;
  const isShort = (hits: Sql): Sql => sql`(SELECT count(*) FROM ${hits}) < ${needed}`;
  const missing = sql`(SELECT ${needed} - count(*) FROM ${titled})`;
  const untitled = sql`(d.id IN (SELECT id FROM ${titled})) IS NOT TRUE`;
  // The text is read of the newest matches alone, until there are enough hits.
  const isHit = hasTexts(conditions) ? sql`${untitled} AND ${meetsTexts(actor, conditions)}` : untitled;
  const newest = isFrequent
    ? sql`SELECT d.id, d."updatedAt" FROM (${matching(actor, conditions, group.matches, visibleNewest(actor, filters, maxNewest))}) d
        WHERE ${untitled} ORDER BY ${newestFirst} LIMIT ${missing}`
    : newestOf(actor, filters, { ids: matches, condition: isHit, most: maxLookedUp, limit: missing });
  const matched = isFrequent ? empty : sql`${matches} AS MATERIALIZED (${idsOf(group.matches, isShort(titled))}),`;
  return sql`${begins} AS MATERIALIZED (${idsOf(group.begins, sql`${needed} > 0`, conditions)}),
    ${beginning} AS MATERIALIZED (SELECT d.id, d."updatedAt", CASE WHEN (d.id IN (${matchingIds(actor.teamId, conditions.titleIs)})) IS TRUE THEN 3 ELSE 2 END AS place
      FROM (${visibleOneByOne(actor, filters, begins)}) d ORDER BY place DESC, ${newestFirst} LIMIT ${needed}),
    ${mentions} AS MATERIALIZED (${idsOf(group.inTitle, sql`${isShort(beginning)} AND (found."documentId" IN (SELECT "documentId" FROM ${begins})) IS NOT TRUE`, conditions)}),
    ${mentioning} AS MATERIALIZED (${newestOf(actor, filters, { ids: mentions, condition: sql`TRUE`, most: raw("ALL"), limit: needed })}),
    ${titled} AS MATERIALIZED (SELECT id, "updatedAt", place FROM ${beginning} UNION ALL SELECT id, "updatedAt", 1 FROM ${mentioning}
      ORDER BY place DESC, ${newestFirst} LIMIT ${needed}),
    ${matched}
    ${raw(name)} AS MATERIALIZED (SELECT id, "updatedAt" FROM ${titled} UNION ALL SELECT id, "updatedAt" FROM (${newest}) newest)`;
}

/** Returns the condition that document `d` meets the conditions on texts. */
const meetsTexts = (actor: Actor, conditions: Conditions): Sql =>
  sql`(SELECT ${textConditions(sql`b.folded`, conditions)} FROM document_bodies b WHERE b."teamId" = ${actor.teamId}::uuid AND b."documentId" = d.id)`;

type NewestRequest = {
  /** The common table expression of the documents to look for. */
  readonly ids: Sql;
  /** A condition on `d`. */
  readonly condition: Sql;
  /** How many of the newest of more than `fewMatches` are looked at. */
  readonly most: Sql;
  readonly limit: Sql;
};

/** Returns the newest of the documents `ids` that the caller sees. Of many, it reads none after the last one that it returns. */
function newestOf(actor: Actor, filters: Filters, { ids, condition, most, limit }: NewestRequest): Sql {
  const areMany = sql`EXISTS (SELECT 1 FROM ${ids} OFFSET ${fewMatches})`;
  const few = visibleOneByOne(actor, filters, sql`(SELECT "documentId" FROM ${ids} WHERE NOT ${areMany})`);
  const many = visibleNewestOf(actor, filters, { ids, condition: areMany, most });
  const first = (visible: Sql): Sql =>
    sql`(SELECT d.id, d."updatedAt" FROM (${visible}) d WHERE ${condition} ORDER BY ${newestFirst} LIMIT ${limit})`;
  return sql`SELECT id, "updatedAt" FROM (${first(few)} UNION ALL ${first(many)}) d ORDER BY ${newestFirst} LIMIT ${limit}`;
}

/** Returns those of the sample of the newest documents that match. */
const matchingOfSampled = (actor: Actor, conditions: Conditions, filters: Filters, words: string): Sql =>
  matching(actor, conditions, words, visibleOfNewest(actor, filters, maxNewest, oneInSampled));

/** Returns those of visible documents that match. The limit keeps the vector packed until it is compared. */
function matching(actor: Actor, conditions: Conditions, words: string, visible: Sql): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM (${visible}) d
      CROSS JOIN LATERAL (SELECT b.vector, b.folded FROM document_bodies b
        WHERE b."teamId" = ${actor.teamId}::uuid AND b."documentId" = d.id LIMIT 1) own
      WHERE own.vector @@ ${once(words)} AND ${textConditions(sql`own.folded`, conditions)}`;
}
