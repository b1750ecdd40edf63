import { type Actor, readableDocuments } from "@kb/auth";
import { raw, type Sql, sql } from "@kb/db";
import { type Filters, statusCondition, testConditions } from "../documents/filters.ts";

/** With more matches than this, and more than this part of the team's documents, all of its documents are read in one go. */
const manyMatches = 1_000;
const largePart = raw("0.2");

/**
 * The columns that decide who sees a document, all of which `documents_at_a_glance` contains. They are named because a union would
 * read the others, too.
 */
const glance = sql`own."teamId", own.id, own."collectionId", own."createdById", own."publishedAt", own."archivedAt",
    own."deletedAt", own."updatedAt"`;
const ofTeam = (actor: Actor): Sql => sql`own."teamId" = ${actor.teamId}::uuid`;
/** Returns the condition that `documents own` belongs to the collection of the filters, or without one to the team: each has an index of times. */
const inScope = (actor: Actor, { collectionId }: Filters): Sql =>
  collectionId === undefined ? ofTeam(actor) : sql`${ofTeam(actor)} AND own."collectionId" = ${collectionId}::uuid`;

/** Returns the number of documents outside the trash in the collection of the filters, or without one in the team. */
export const documentsInScope = (actor: Actor, { collectionId }: Filters): Sql =>
  collectionId === undefined
    ? sql`(SELECT documents FROM team)`
    : sql`(SELECT COALESCE(sum(c.count), 0) FROM document_counts c
        WHERE c."teamId" = ${actor.teamId}::uuid AND c."collectionId" = ${collectionId}::uuid)`;

/** Returns the condition that the caller sees `documents d` and that the filters select it. */
export const isVisible = (actor: Actor, filters: Filters): Sql =>
  sql`d."deletedAt" IS NULL AND ${statusCondition(filters.status)} AND ${readableDocuments(actor)}${testConditions(actor, filters)}`;

/** Returns the document of `match`. The limit makes the planner look it up. */
export const lookedUp = (actor: Actor): Sql => sql`SELECT ${glance} FROM documents own
        WHERE ${ofTeam(actor)} AND own.id = match."documentId" LIMIT 1`;

/** Returns those of the documents `ids` that the caller sees. They are looked up by their key one after the other, as they are needed. */
export function visibleOneByOne(actor: Actor, filters: Filters, ids: Sql): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM (SELECT one.* FROM ${ids} match CROSS JOIN LATERAL (${lookedUp(actor)}) one OFFSET 0) d
      WHERE ${isVisible(actor, filters)}`;
}

/**
 * Returns the documents of `match` that the caller sees: `few`, and the others if `course` says so. The planner cannot know their number, and
 * without statistics it would read all documents. Therefore `scope` decides: few matches are looked up by their key, one after the other; many
 * are compared with a hashed set of the matches (`IS TRUE` prevents a join). The order is that of the index, so that no other teams and collections
 * are read.
 */
export function visible(actor: Actor, filters: Filters): Sql {
  const isWhole = sql`(SELECT "isWhole" FROM course)`;
  const isLarge = sql`CASE WHEN ${isWhole} THEN (SELECT "isLarge" FROM scope) ELSE FALSE END`;
  const order =
    filters.collectionId === undefined
      ? sql`own."teamId", own.id`
      : sql`own."teamId", own."collectionId", own."updatedAt", own.id`;
  return sql`SELECT few.id, few."updatedAt" FROM few WHERE NOT ${isLarge}
    UNION ALL SELECT d.id, d."updatedAt" FROM (
      SELECT one.* FROM (SELECT match."documentId" FROM match OFFSET (SELECT seen FROM extent)) match
        CROSS JOIN LATERAL (${lookedUp(actor)}) one WHERE ${isWhole} AND NOT ${isLarge}
      UNION ALL
      (SELECT ${glance} FROM documents own WHERE ${isLarge} AND ${inScope(actor, filters)}
        AND (own.id IN (SELECT match."documentId" FROM match)) IS TRUE ORDER BY ${order})
      OFFSET 0) d
    WHERE ${isVisible(actor, filters)}`;
}

/** Returns the query of `scope`, the common table expression that `visible` reads. */
export const scopeOfMatches = (actor: Actor, filters: Filters): Sql =>
  sql`SELECT count(*) > GREATEST(${manyMatches}::int, ${largePart} * ${documentsInScope(actor, filters)}) AS "isLarge" FROM match`;

/** Returns the documents of the collection of the filters that the caller sees. The order is that of its index. */
export function visibleInCollection(actor: Actor, filters: Filters): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM (SELECT ${glance} FROM documents own WHERE ${inScope(actor, filters)}
      ORDER BY own."teamId", own."collectionId", own."updatedAt", own.id) d WHERE ${isVisible(actor, filters)}`;
}

/** Returns those documents, among the `count` of the collection or team that changed last, that the caller sees, newest change first. */
export function visibleNewest(actor: Actor, filters: Filters, count: Sql): Sql {
  return sql`SELECT d.id, d."updatedAt" FROM (SELECT ${glance} FROM documents own WHERE ${inScope(actor, filters)}
      ORDER BY own."updatedAt" DESC, own.id LIMIT ${count}) d WHERE ${isVisible(actor, filters)}`;
}

/** Returns those of one in `oneIn` of the same documents that the caller sees. Only these are read, the others are counted in the index of times. */
export function visibleOfNewest(actor: Actor, filters: Filters, count: Sql, oneIn: number): Sql {
  const numbered = sql`SELECT newest.id AS "documentId", row_number() OVER () AS n FROM (SELECT own.id FROM documents own WHERE ${inScope(actor, filters)}
      ORDER BY own."updatedAt" DESC, own.id LIMIT ${count}) newest`;
  return visibleOneByOne(
    actor,
    filters,
    sql`(SELECT numbered."documentId" FROM (${numbered}) numbered WHERE numbered.n % ${oneIn}::int = 0)`,
  );
}

type NewestOf = {
  /** The common table expression of the documents to look for. */
  readonly ids: Sql;
  /** Without it, nothing is read. */
  readonly condition: Sql;
  /** How many of the newest are looked at. */
  readonly most: Sql;
};

/**
 * Returns those of the documents `ids` that the caller sees, newest change first. Only the newest are looked at, at most so many, and none after
 * the last one that is needed: the columns are those of the index of times, and their order is repeated because a join forgets it.
 */
export function visibleNewestOf(actor: Actor, filters: Filters, { ids, condition, most }: NewestOf): Sql {
  const newest = sql`SELECT own.id AS "documentId", own."updatedAt" FROM documents own
      WHERE ${condition} AND ${inScope(actor, filters)} AND (own.id IN (SELECT "documentId" FROM ${ids})) IS TRUE
      ORDER BY own."updatedAt" DESC, own.id LIMIT ${most}`;
  return sql`SELECT d.id, d."updatedAt" FROM (SELECT match."documentId" AS id, match."updatedAt", one."teamId", one."collectionId",
        one."createdById", one."publishedAt", one."archivedAt", one."deletedAt"
      FROM (${newest}) match CROSS JOIN LATERAL (${lookedUp(actor)}) one ORDER BY match."updatedAt" DESC, match."documentId" OFFSET 0) d
    WHERE ${isVisible(actor, filters)}`;
}
