import { empty, join, raw, type Sql, sql } from "@kb/db";
import { type Actor, holds } from "./actor.ts";
import { perActor } from "./per-actor.ts";

/**
 * The policy of `access.ts` in SQL, for lists, search, sync, counts and exports. A property test proves that these
 * conditions select exactly the rows that `decideDocument` allows.
 */

const always = sql`TRUE`;

/** Returns the condition that the grant `g` names the user or one of their groups. */
function names(actor: Actor): Sql {
  const groups = actor.groupIds.length > 0 ? sql` OR g."groupId" IN (${join(actor.groupIds.map(uuid))})` : empty;
  return sql`(g."userId" = ${actor.userId}::uuid${groups})`;
}

const uuid = (id: string): Sql => sql`${id}::uuid`;

/**
 * Returns the caller's level in the collection at `alias`, as an expression of type `access_level`.
 * The enum has the order of the levels, so `GREATEST` yields the highest.
 */
export function collectionLevel(actor: Actor, alias: string): Sql {
  const c = raw(alias);
  return sql`GREATEST(${c}."defaultAccess", (SELECT max(g.level) FROM collection_grants g
    WHERE g."teamId" = ${actor.teamId}::uuid AND g."collectionId" = ${c}.id AND ${names(actor)}))`;
}

/** Returns the same level of the user `u` instead of a caller: their grants and groups are looked up. */
export function collectionLevelOfUser(): Sql {
  return sql`GREATEST(c."defaultAccess", (SELECT max(g.level) FROM collection_grants g
    WHERE g."teamId" = u."teamId" AND g."collectionId" = c.id AND (g."userId" = u.id OR g."groupId" IN
      (SELECT m."groupId" FROM memberships m WHERE m."teamId" = u."teamId" AND m."userId" = u.id))))`;
}

/** Selects the ids of the team's collections in which the caller has `level`, regardless of a restricted key. */
function collectionsAt(actor: Actor, level: "read" | "write"): Sql {
  return sql`(SELECT c.id FROM collections c WHERE c."teamId" = ${actor.teamId}::uuid AND (c."defaultAccess" >= ${level}::access_level
    OR EXISTS (SELECT 1 FROM collection_grants g WHERE g."teamId" = ${actor.teamId}::uuid AND g."collectionId" = c.id
      AND g.level >= ${level}::access_level AND ${names(actor)})))`;
}

/** Returns the condition that the caller's restricted key allows `level` for a document in a collection. */
function keyAllows(actor: Actor, level: "read" | "write", collectionId: Sql, documentId: Sql): Sql {
  if (actor.restrictedKeyId === null) return always;
  const key = sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid`;
  const at = sql`k.level >= ${level}::access_level`;
  return sql`(${documentId} IN (SELECT k."documentId" FROM api_key_documents k WHERE ${key} AND ${at})
    OR (${collectionId} IN (SELECT k."collectionId" FROM api_key_collections k WHERE ${key} AND ${at})
      AND ${documentId} NOT IN (SELECT k."documentId" FROM api_key_documents k WHERE ${key})))`;
}

/** Returns the restricted key's level for the document `d`; NULL for a credential that is not restricted. */
export function keyDocumentLevel(actor: Actor): Sql {
  if (actor.restrictedKeyId === null) return sql`NULL::access_level`;
  const key = sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid`;
  return sql`COALESCE((SELECT k.level FROM api_key_documents k WHERE ${key} AND k."documentId" = d.id),
    (SELECT k.level FROM api_key_collections k WHERE ${key} AND k."collectionId" = d."collectionId"), 'none'::access_level)`;
}

/** Returns the restricted key's level for the collection `c`; NULL for a credential that is not restricted. */
export function keyCollectionLevel(actor: Actor): Sql {
  if (actor.restrictedKeyId === null) return sql`NULL::access_level`;
  return sql`COALESCE((SELECT k.level FROM api_key_collections k WHERE k."teamId" = ${actor.teamId}::uuid
    AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid AND k."collectionId" = c.id), 'none'::access_level)`;
}

/** The columns on which the policy of documents depends; tombstones and events name some of them differently. */
type DocumentColumns = { id: Sql; collectionId: Sql; createdById: Sql; publishedAt: Sql };

function columnsOf(alias: string, id: string): DocumentColumns {
  const row = raw(alias);
  return {
    id: sql`${row}.${raw(`"${id}"`)}`,
    collectionId: sql`${row}."collectionId"`,
    createdById: sql`${row}."createdById"`,
    publishedAt: sql`${row}."publishedAt"`,
  };
}

function readableColumns(actor: Actor, columns: DocumentColumns): Sql {
  if (!holds(actor, "document.read")) return sql`FALSE`;
  const mine = sql`${columns.createdById} = ${actor.userId}::uuid`;
  const orphan = holds(actor, "collection.edit")
    ? sql`${columns.collectionId} IS NULL`
    : sql`(${columns.collectionId} IS NULL AND ${mine})`;
  const editable = holds(actor, "document.edit")
    ? sql` OR ${columns.collectionId} IN ${collectionsAt(actor, "write")} OR ${orphan}`
    : empty;
  return sql`((${columns.collectionId} IN ${collectionsAt(actor, "read")} OR ${orphan})
    AND (${columns.publishedAt} IS NOT NULL OR ${mine}${editable})
    AND ${keyAllows(actor, "read", columns.collectionId, columns.id)})`;
}

/** Returns the condition on `documents d` that `decideDocument(actor, "read", …)` allows them, in the trash and archive too. */
export const readableDocuments = perActor(
  (actor): Sql => sql`d."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("d", "id"))}`,
);

/**
 * Returns the ids of all documents that `readableDocuments` could select, and of some more, as an expression of type
 * `uuid[]`. They are found through the collections that the caller may read.
 */
export function readableIds(actor: Actor): Sql {
  const team = sql`o."teamId" = ${actor.teamId}::uuid`;
  const inCollections = (condition: Sql): Sql => sql`SELECT o.id FROM documents o
    WHERE ${team} AND o."collectionId" = ANY (ARRAY(SELECT c.id FROM ${collectionsAt(actor, "read")} c${condition}))`;
  if (actor.restrictedKeyId === null) {
    const mine = holds(actor, "collection.edit") ? empty : sql` AND o."createdById" = ${actor.userId}::uuid`;
    return sql`ARRAY(${inCollections(empty)} UNION ALL SELECT o.id FROM documents o WHERE ${team} AND o."collectionId" IS NULL${mine})`;
  }
  const key = sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid AND k.level >= 'read'`;
  const named = sql` WHERE c.id IN (SELECT k."collectionId" FROM api_key_collections k WHERE ${key})`;
  return sql`ARRAY(${inCollections(named)} UNION ALL SELECT k."documentId" FROM api_key_documents k WHERE ${key})`;
}

/** Returns the same condition on `documents p`, the parent of a document. */
export function readableParents(actor: Actor): Sql {
  return sql`p."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("p", "id"))}`;
}

/** Returns the condition on `tombstones s` that the caller could read the document in its previous state. */
export function readableTombstones(actor: Actor): Sql {
  return sql`s."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("s", "documentId"))}`;
}

/** Returns the condition on `events e` that the caller could read the document after the event. */
export function readableEvents(actor: Actor): Sql {
  return sql`e."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("e", "documentId"))}`;
}

/** Returns the condition for editing, in addition to reading. */
function editableColumns(actor: Actor, columns: DocumentColumns): Sql {
  if (!holds(actor, "document.edit")) return sql`FALSE`;
  const orphan = holds(actor, "collection.edit") ? always : sql`${columns.createdById} = ${actor.userId}::uuid`;
  return sql`((${columns.collectionId} IN ${collectionsAt(actor, "write")} OR (${columns.collectionId} IS NULL AND ${orphan}))
    AND ${keyAllows(actor, "write", columns.collectionId, columns.id)})`;
}

/** Returns the condition for trashing and restoring, in addition to reading. */
function deletableColumns(actor: Actor, columns: DocumentColumns): Sql {
  const own = holds(actor, "document.delete") ? always : sql`${columns.createdById} = ${actor.userId}::uuid`;
  return sql`(${own} AND ${editableColumns(actor, columns)})`;
}

/** Returns the condition on `documents d` that the caller may edit them; it includes `readableDocuments`. */
export function editableDocuments(actor: Actor): Sql {
  return sql`(${readableDocuments(actor)} AND ${editableColumns(actor, columnsOf("d", "id"))})`;
}

/** Returns the condition on `documents d` that the caller may trash them, and so see and restore them in the trash. */
export function deletableDocuments(actor: Actor): Sql {
  return sql`(${readableDocuments(actor)} AND ${deletableColumns(actor, columnsOf("d", "id"))})`;
}

/**
 * Returns the condition on `documents p`, the parent of `d`, that the caller may see it. A parent in the trash is visible
 * only from the trash, to users who could restore it.
 */
export const knownParents = perActor(
  (actor): Sql => sql`(${readableParents(actor)} AND (p."deletedAt" IS NULL
    OR (d."deletedAt" IS NOT NULL AND ${deletableColumns(actor, columnsOf("p", "id"))})))`,
);

/** Returns the condition on `collections c` that `decideCollection(actor, "read", …)` allows them and they are not deleted. */
export function readableCollections(actor: Actor): Sql {
  const team = sql`c."teamId" = ${actor.teamId}::uuid`;
  if (!holds(actor, "document.read")) return sql`(${team} AND FALSE)`;
  const key =
    actor.restrictedKeyId === null
      ? always
      : sql`c.id IN (SELECT k."collectionId" FROM api_key_collections k WHERE k."teamId" = ${actor.teamId}::uuid
          AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid AND k.level >= 'read')`;
  return sql`(${team} AND c."deletedAt" IS NULL AND c.id IN ${collectionsAt(actor, "read")} AND ${key})`;
}

/** Returns the condition on `tags t` that they are unrestricted, or that their list names the user or one of their groups. */
export function visibleTags(actor: Actor): Sql {
  return sql`(t."teamId" = ${actor.teamId}::uuid AND (NOT t.restricted OR EXISTS (SELECT 1 FROM tag_grants g
    WHERE g."teamId" = ${actor.teamId}::uuid AND g."tagId" = t.id AND ${names(actor)})))`;
}
