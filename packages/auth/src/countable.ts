import { empty, type Sql, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { readableDocuments } from "./readable.ts";

// How many documents a caller may read is known without looking at them: the counts of `document_counts`, and for each tag
// those of `document_tag_counts`, have the columns that the policy of lists asks for. A key's entries for single documents,
// which are few, are looked up beside.

const nothing = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** What a total is of, where it is not of the whole team: the id of a collection, that of a tag. */
export type Within = { readonly collectionId?: Sql | undefined; readonly tagId?: Sql | undefined };

/**
 * How many documents outside the trash meet a condition and `readableDocuments`, as an expression. The condition asks for the
 * state of `d` and its collection alone.
 */
export function readableTotal(actor: Actor, condition: Sql, within: Within = {}): Sql {
  const counts = countsOf(actor, condition, within, within.tagId === undefined ? "all" : "tags");
  return sql`(SELECT COALESCE(sum(s.count), 0) FROM (${counts}) s)`;
}

/**
 * About how much of its team a caller may read: a select of `few` and `all`, which are bounds, and looks at no document. What
 * is archived is left out of the first.
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
 * Whether who may read `few` of `all` documents has a page of theirs sooner by looking up what they may read than by reading on
 * in an order until so many `rows` of theirs have come: a look-up takes four times as long as to pass a document by.
 */
export const isSparse = (rows: number, { few, all }: { readonly few: number; readonly all: number }): boolean =>
  rows * all > 4 * few * few;

/** `readableTotal` for each tag that any of them carries: a select of `tagId` and `total`. */
export function readableTotalsOfTags(actor: Actor, condition: Sql): Sql {
  return sql`SELECT s."tagId", sum(s.count) AS total FROM (${countsOf(actor, condition, {}, "tags")}) s GROUP BY s."tagId"`;
}

/** Rows that add up to the total: `count`, and `tagId` where tags are counted. */
function countsOf(actor: Actor, condition: Sql, within: Within, of: "all" | "tags"): Sql {
  const user = { ...actor, restrictedKeyId: null };
  const tag = of === "tags" ? sql`, d."tagId"` : empty;
  const counted = sql`SELECT d.count${tag} FROM ${kinds(actor, within, of)} WHERE ${condition} AND ${readableDocuments(user)}`;
  if (actor.restrictedKeyId === null) return counted;
  const inPlace = within.collectionId === undefined ? empty : sql` AND d."collectionId" = ${within.collectionId}`;
  // An entry decides for its document alone, whatever the key may do in the collection.
  return sql`${counted} AND ${ofKey(actor)} UNION ALL
    SELECT (k.level >= 'read')::int - COALESCE(${ofKey(actor)}, FALSE)::int AS count${tag}
    FROM api_key_documents k CROSS JOIN LATERAL ${documentOfEntry(actor, within, of)} d
    WHERE ${key(actor)} AND d."deletedAt" IS NULL${inPlace} AND ${condition} AND ${readableDocuments(user)}`;
}

/** Rows `k` of what the restricted key of the caller names. */
const key = (actor: Actor): Sql =>
  sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid`;

/** Whether the key names the collection of `d`. */
const ofKey = (actor: Actor): Sql =>
  sql`d."collectionId" IN (SELECT k."collectionId" FROM api_key_collections k WHERE ${key(actor)} AND k.level >= 'read')`;

/** The counts of the caller's team as `d`, with the columns of `documents d` that the policy and the filters ask for. */
function kinds(actor: Actor, { collectionId, tagId }: Within, of: "all" | "tags"): Sql {
  const [table, tag] = of === "tags" ? [sql`document_tag_counts`, sql`, k."tagId"`] : [sql`document_counts`, empty];
  return sql`(SELECT k."teamId", NULLIF(k."collectionId", ${nothing}) AS "collectionId",
    NULLIF(k."createdById", ${nothing}) AS "createdById", CASE WHEN k.published THEN 'epoch'::timestamptz END AS "publishedAt",
    CASE WHEN k.archived THEN 'epoch'::timestamptz END AS "archivedAt", k.count${tag}
    FROM ${table} k WHERE k."teamId" = ${actor.teamId}::uuid${
      collectionId === undefined ? empty : sql` AND k."collectionId" = ${collectionId}`
    }${tagId === undefined ? empty : sql` AND k."tagId" = ${tagId}`}) d`;
}

/** The document of the entry `k`, looked up: once, or once for each of its tags. */
function documentOfEntry(actor: Actor, { tagId }: Within, of: "all" | "tags"): Sql {
  const one = sql`(SELECT * FROM documents o WHERE o."teamId" = ${actor.teamId}::uuid AND o.id = k."documentId" LIMIT 1)`;
  if (of === "all") return one;
  return sql`(SELECT o.*, dt."tagId" FROM ${one} o JOIN document_tags dt
    ON dt."teamId" = ${actor.teamId}::uuid AND dt."documentId" = o.id${
      tagId === undefined ? empty : sql` AND dt."tagId" = ${tagId}`
    } OFFSET 0)`;
}
