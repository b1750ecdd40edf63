import { type Actor, readableTotal } from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import { type Filters, statusCondition, tagNames } from "../documents/filters.ts";
import { type Conditions, hasTexts, type TextConditions } from "./conditions.ts";
import { matchingIds } from "./matching-ids.ts";
import { documentsInScope, isVisible, lookedUp, visibleOneByOne } from "./visible-hits.ts";

/** With more hidden documents than this for each that is counted, to read enough matches would take as long as to look some of them up. */
const hiddenPerCounted = 5;
/** The same for a query whose texts are read, so that a match takes longer to find than to look up. */
const hiddenPerCountedOfTexts = 0.2;
/**
 * In a team or collection with more documents than this for each that is counted, those with the words as they are typed can be enough. The index
 * finds them in a part of the time that it takes for all words that begin with them.
 */
const largePerCounted = 20;

/**
 * Returns the common table expressions to `extent`, which find out how many of the documents in `match` the caller sees. They stop after more than
 * `counted` documents, when `isMany` is true, or after more than twice as many matches; in both cases `isOver` is true. `seen` is the number of
 * matches before they stopped: none if `surely` says that the caller sees many of them, or cannot see many.
 */
export function extentOfMatches(actor: Actor, conditions: Conditions, filters: Filters, counted: number): Sql {
  const examined = 2 * counted;
  const isSure = sql`(SELECT "isMany" FROM surely)`;
  const isKnown = sql`(SELECT "isMany" OR "isFew" FROM surely)`;
  const first = sql`(SELECT match."documentId", row_number() OVER () AS n FROM match WHERE NOT ${isKnown} LIMIT ${examined}::int + 1)`;
  return sql`typed AS MATERIALIZED (${withTypedWords(actor, conditions, filters, counted)}),
    hidden AS MATERIALIZED (${numberHidden(actor, conditions, filters, counted)}),
    surely AS MATERIALIZED (${surely(actor, filters, counted)}),
    few AS MATERIALIZED (SELECT d.id, d."updatedAt", d.n FROM (SELECT one.*, match.n FROM ${first} match
      CROSS JOIN LATERAL (${lookedUp(actor)}) one OFFSET 0) d WHERE ${isVisible(actor, filters)} LIMIT ${counted}::int + 1),
    extent AS MATERIALIZED (SELECT ${isSure} OR found > ${counted}::int AS "isMany", ${isKnown} OR found > ${counted}::int OR seen > ${examined}::int AS "isOver", seen
      FROM (SELECT found, CASE WHEN found > ${counted}::int THEN last ELSE (SELECT count(*) FROM ${first} examined) END AS seen
        FROM (SELECT count(*) AS found, max(few.n) AS last FROM few) of_few) of_matches)`;
}

/** Whether the filters select documents that no maintained count tells. */
const isSelective = (filters: Filters): boolean => filters.under !== undefined || tagNames(filters).length > 0;

/**
 * Returns the documents with the words as they are typed, which are some of the matches. There are none where these are all, in a small team or
 * collection, and where the filters may leave few.
 */
function withTypedWords(actor: Actor, { exact, ...texts }: Conditions, filters: Filters, counted: number): Sql {
  if (exact === undefined || isSelective(filters)) return sql`SELECT NULL::uuid AS "documentId" WHERE FALSE`;
  return sql`SELECT found."documentId" FROM (${matchingIds(actor.teamId, exact, texts)}) found
    WHERE ${documentsInScope(actor, filters)} > ${largePerCounted * counted}::int`;
}

/**
 * Returns the number of documents of the team that the caller does not see, which the maintained counts tell without looking any of them up; null
 * where they do not, or where it is too large.
 */
function numberHidden(actor: Actor, texts: TextConditions, filters: Filters, counted: number): Sql {
  if (filters.collectionId !== undefined || isSelective(filters)) return sql`SELECT NULL::int AS documents`;
  const most = Math.floor((hasTexts(texts) ? hiddenPerCountedOfTexts : hiddenPerCounted) * counted);
  const trash = sql`SELECT 1 FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND d."deletedAt" IS NOT NULL LIMIT ${most}::int + 1`;
  const outside = sql`SELECT (SELECT documents FROM team) - ${readableTotal(actor, statusCondition(filters.status))} AS documents OFFSET 0`;
  return sql`SELECT CASE WHEN documents <= ${most}::int THEN documents END AS documents
    FROM (SELECT CASE WHEN documents <= ${most}::int THEN documents + (SELECT count(*) FROM (${trash}) trash) END AS documents
      FROM (${outside}) outside OFFSET 0) counts`;
}

/**
 * Returns whether the caller certainly sees more than `counted` of the documents in `match`, because that many of the typed words are not hidden,
 * or would not be if all hidden documents matched; and whether they see at most as many, because the collection has no more.
 */
function surely(actor: Actor, filters: Filters, counted: number): Sql {
  const exceeds = (documents: Sql, number: Sql): Sql => sql`EXISTS (SELECT 1 FROM ${documents} OFFSET ${number})`;
  const least = sql`${counted}::int`;
  const hidden = sql`(SELECT documents FROM hidden)`;
  const areMany = (documents: Sql): Sql => sql`CASE WHEN ${exceeds(documents, least)} AND ${hidden} IS NOT NULL
      THEN ${exceeds(documents, sql`${least} + ${hidden}`)} ELSE FALSE END`;
  const first = visibleOneByOne(actor, filters, sql`(SELECT typed."documentId" FROM typed LIMIT ${2 * counted}::int)`);
  const seesMany = sql`CASE WHEN ${exceeds(sql`typed`, least)} THEN ${exceeds(sql`(${first}) seen`, least)} ELSE FALSE END`;
  const isFew =
    filters.collectionId === undefined ? sql`FALSE` : sql`${documentsInScope(actor, filters)} <= ${counted}::int`;
  return sql`SELECT CASE WHEN "isFew" THEN FALSE ELSE ${areMany(sql`typed`)} OR ${seesMany} OR ${areMany(sql`match`)} END AS "isMany", "isFew"
    FROM (SELECT ${isFew} AS "isFew" OFFSET 0) size`;
}
