import { empty, type Sql, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { readableDocuments } from "./readable.ts";

// Counts how many documents a caller may read without reading them: `document_counts`, and `document_tag_counts` for each
// tag, have the columns on which the policy of lists depends. The few entries of a restricted key for single documents are
// looked up separately.

const nothing = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** Limits a total to a collection or a tag, each by its id. */
export type Within = { readonly collectionId?: Sql | undefined; readonly tagId?: Sql | undefined };

/**
 * Returns an expression that counts the documents outside the trash that meet a condition and `readableDocuments`. The
 * condition may depend only on the state of `d` and its collection.
 */
export function readableTotal(actor: Actor, condition: Sql, within: Within = {}): Sql {
  const counts = countsOf(actor, condition, within, within.tagId === undefined ? "all" : "tags");
  return sql`(SELECT COALESCE(sum(s.count), 0) FROM (${counts}) s)`;
}

/**
 * Selects bounds for the documents that a caller may read (`few`, without archived ones) and for those of the team (`all`),
 * without reading any document.
 */
export function reach(actor: Actor): Sql {
  const user = { ...actor, restrictedKeyId: null };
  const readable = countsOf(
    user,
    sql`d."archivedAt" IS NULL${actor.restrictedKeyId === null ? empty : sql` AND ${ofKey(actor)}`}`,
    {},
    "all",
  );
  const entries =
    actor.restrictedKeyId === null ? sql`0` : sql`(SELECT count(*) FROM api_key_documents k WHERE ${key(actor)})`;
  return sql`SELECT (COALESCE((SELECT sum(s.count) FROM (${readable}) s), 0) + ${entries})::int AS few,
    COALESCE((SELECT sum(k.count) FROM document_counts k WHERE k."teamId" = ${actor.teamId}::uuid), 0)::int AS all`;
}

/**
 * Whether a caller who may read `few` of `all` documents gets a page sooner by looking those up than by reading in order until
 * `rows` readable ones are found: a look-up takes four times as long as skipping a document.
 */
export const isSparse = (rows: number, { few, all }: { readonly few: number; readonly all: number }): boolean =>
  rows * all > 4 * few * few;

/** Selects `tagId`, the `total` of readable documents of each tag, and how many of them are `active`: not archived. */
export function readableTotalsOfTags(actor: Actor): Sql {
  const counts = countsOf(actor, sql`TRUE`, {}, "tags");
  return sql`SELECT s."tagId", sum(s.count) AS total, COALESCE(sum(s.count) FILTER (WHERE NOT s.archived), 0) AS active
    FROM (${counts}) s GROUP BY s."tagId"`;
}

/** Selects the rows that add up to the total: `count`; also `tagId` and `archived` if tags are counted. */
function countsOf(actor: Actor, condition: Sql, within: Within, of: "all" | "tags"): Sql {
  const user = { ...actor, restrictedKeyId: null };
  const tag = of === "tags" ? sql`, d."tagId", d."archivedAt" IS NOT NULL AS archived` : empty;
  const counted = sql`SELECT d.count${tag} FROM ${kinds(actor, within, of)} WHERE ${condition} AND ${readableDocuments(user)}`;
  if (actor.restrictedKeyId === null) return counted;
  const inPlace = within.collectionId === undefined ? empty : sql` AND d."collectionId" = ${within.collectionId}`;
  // An entry for a document takes precedence over the key's level in the collection.
  return sql`${counted} AND ${ofKey(actor)} UNION ALL
    SELECT (k.level >= 'read')::int - COALESCE(${ofKey(actor)}, FALSE)::int AS count${tag}
    FROM api_key_documents k CROSS JOIN LATERAL ${documentOfEntry(actor, within, of)} d
    WHERE ${key(actor)} AND d."deletedAt" IS NULL${inPlace} AND ${condition} AND ${readableDocuments(user)}`;
}

/** Returns the condition on the entries `k` of the caller's restricted key. */
const key = (actor: Actor): Sql =>
  sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid`;

/** Returns the condition that the key allows reading in the collection of `d`. */
const ofKey = (actor: Actor): Sql =>
  sql`d."collectionId" IN (SELECT k."collectionId" FROM api_key_collections k WHERE ${key(actor)} AND k.level >= 'read')`;

/** Selects the counts of the caller's team as `d`, with the columns of `documents d` that the policy and filters use. */
function kinds(actor: Actor, { collectionId, tagId }: Within, of: "all" | "tags"): Sql {
  const table = of === "tags" ? sql`document_tag_counts` : sql`document_counts`;
  const tag = of === "tags" ? sql`, k."tagId"` : empty;
  return sql`(SELECT k."teamId", NULLIF(k."collectionId", ${nothing}) AS "collectionId",
    NULLIF(k."createdById", ${nothing}) AS "createdById", CASE WHEN k.published THEN 'epoch'::timestamptz END AS "publishedAt",
    CASE WHEN k.archived THEN 'epoch'::timestamptz END AS "archivedAt", k.count${tag}
    FROM ${table} k WHERE k."teamId" = ${actor.teamId}::uuid${
      collectionId === undefined ? empty : sql` AND k."collectionId" = ${collectionId}`
    }${tagId === undefined ? empty : sql` AND k."tagId" = ${tagId}`}) d`;
}

/** Selects the document of the entry `k` once, or once for each of its tags. */
function documentOfEntry(actor: Actor, { tagId }: Within, of: "all" | "tags"): Sql {
  const one = sql`(SELECT * FROM documents o WHERE o."teamId" = ${actor.teamId}::uuid AND o.id = k."documentId" LIMIT 1)`;
  if (of === "all") return one;
  return sql`(SELECT o.*, dt."tagId" FROM ${one} o JOIN document_tags dt
    ON dt."teamId" = ${actor.teamId}::uuid AND dt."documentId" = o.id${
      tagId === undefined ? empty : sql` AND dt."tagId" = ${tagId}`
    } OFFSET 0)`;
}
