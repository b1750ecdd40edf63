import { empty, type Sql, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { readableDocuments } from "./readable.ts";

// How many documents a caller may read is known without looking at them: the counts of `document_counts` have the columns
// that the policy of lists asks for. A key's entries for single documents, which are few, are looked up beside.

const nothing = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** The counts of the caller's team as `d`, with the columns of `documents d` that the policy and the filters ask for. */
function countedDocuments(actor: Actor, place: Sql | undefined): Sql {
  return sql`(SELECT k."teamId", NULLIF(k."collectionId", ${nothing}) AS "collectionId",
    NULLIF(k."createdById", ${nothing}) AS "createdById", CASE WHEN k.published THEN 'epoch'::timestamptz END AS "publishedAt",
    CASE WHEN k.archived THEN 'epoch'::timestamptz END AS "archivedAt", k.count
    FROM document_counts k WHERE k."teamId" = ${actor.teamId}::uuid${
      place === undefined ? empty : sql` AND k."collectionId" = ${place}`
    }) d`;
}

/**
 * How many documents outside the trash meet a condition and `readableDocuments`, as an expression. The condition asks for the
 * state of `d` and its collection alone; `place` is the id of the only collection that is meant, where there is one.
 */
export function readableTotal(actor: Actor, condition: Sql, place?: Sql): Sql {
  const user = { ...actor, restrictedKeyId: null };
  const counted = sql`SELECT COALESCE(sum(d.count), 0) FROM ${countedDocuments(actor, place)}
    WHERE ${condition} AND ${readableDocuments(user)}`;
  if (actor.restrictedKeyId === null) return sql`(${counted})`;
  const key = sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid`;
  const ofKey = sql`d."collectionId" IN (SELECT k."collectionId" FROM api_key_collections k WHERE ${key} AND k.level >= 'read')`;
  const inPlace = place === undefined ? empty : sql` AND d."collectionId" = ${place}`;
  // An entry decides for its document alone, whatever the key may do in the collection.
  const entries = sql`SELECT COALESCE(sum((k.level >= 'read')::int - COALESCE(${ofKey}, FALSE)::int), 0)
    FROM api_key_documents k CROSS JOIN LATERAL (SELECT * FROM documents o
      WHERE o."teamId" = ${actor.teamId}::uuid AND o.id = k."documentId" LIMIT 1) d
    WHERE ${key} AND d."deletedAt" IS NULL${inPlace} AND ${condition} AND ${readableDocuments(user)}`;
  return sql`((${counted} AND ${ofKey}) + (${entries}))`;
}
