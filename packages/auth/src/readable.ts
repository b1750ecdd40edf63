import { empty, join, raw, type Sql, sql } from "@kb/db";
import { type Actor, holds } from "./actor.ts";

/**
 * The policy of `access.ts` in SQL, for lists, search, sync, counts and exports. A property test proves that the rows
 * that these conditions select are those that `decideDocument` allows.
 */

const always = sql`TRUE`;

/** Rows of `collection_grants` that name the user or one of their groups. `grantee` is the alias of the grant. */
function names(actor: Actor): Sql {
  const groups = actor.groupIds.length > 0 ? sql` OR g."groupId" IN (${join(actor.groupIds.map(uuid))})` : empty;
  return sql`(g."userId" = ${actor.userId}::uuid${groups})`;
}

const uuid = (id: string): Sql => sql`${id}::uuid`;

/**
 * The caller's level in the collection of the row at `alias`, as an expression of type `access_level`.
 * The enum is ordered as the levels are, so the highest wins by `GREATEST`.
 */
export function collectionLevel(actor: Actor, alias: string): Sql {
  const c = raw(alias);
  return sql`GREATEST(${c}."defaultAccess", (SELECT max(g.level) FROM collection_grants g
    WHERE g."teamId" = ${actor.teamId}::uuid AND g."collectionId" = ${c}.id AND ${names(actor)}))`;
}

/** The ids of the team's collections in which the caller reaches `level`, before any restriction of the key. */
function collectionsAt(actor: Actor, level: "read" | "write"): Sql {
  return sql`(SELECT c.id FROM collections c WHERE c."teamId" = ${actor.teamId}::uuid AND (c."defaultAccess" >= ${level}::access_level
    OR EXISTS (SELECT 1 FROM collection_grants g WHERE g."teamId" = ${actor.teamId}::uuid AND g."collectionId" = c.id
      AND g.level >= ${level}::access_level AND ${names(actor)})))`;
}

/** What the restricted key of the caller says of a collection id and of a document id, at `level` or above. */
function keyAllows(actor: Actor, level: "read" | "write", collectionId: Sql, documentId: Sql): Sql {
  if (actor.restrictedKeyId === null) return always;
  const key = sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid`;
  const at = sql`k.level >= ${level}::access_level`;
  return sql`(${documentId} IN (SELECT k."documentId" FROM api_key_documents k WHERE ${key} AND ${at})
    OR (${collectionId} IN (SELECT k."collectionId" FROM api_key_collections k WHERE ${key} AND ${at})
      AND ${documentId} NOT IN (SELECT k."documentId" FROM api_key_documents k WHERE ${key})))`;
}

/** The restricted key's level for the document at `d`, as an expression; NULL for a credential that is not restricted. */
export function keyDocumentLevel(actor: Actor): Sql {
  if (actor.restrictedKeyId === null) return sql`NULL::access_level`;
  const key = sql`k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid`;
  return sql`COALESCE((SELECT k.level FROM api_key_documents k WHERE ${key} AND k."documentId" = d.id),
    (SELECT k.level FROM api_key_collections k WHERE ${key} AND k."collectionId" = d."collectionId"), 'none'::access_level)`;
}

/** The restricted key's level for the collection at `c`, as an expression; NULL when the credential is not restricted. */
export function keyCollectionLevel(actor: Actor): Sql {
  if (actor.restrictedKeyId === null) return sql`NULL::access_level`;
  return sql`COALESCE((SELECT k.level FROM api_key_collections k WHERE k."teamId" = ${actor.teamId}::uuid
    AND k."apiKeyId" = ${actor.restrictedKeyId}::uuid AND k."collectionId" = c.id), 'none'::access_level)`;
}

/** The columns of a row that the document policy looks at; a tombstone has them under the names of its own. */
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

/** Condition on `documents d`: those that `decideDocument(actor, "read", …)` allows, whatever their trash and archive state. */
export function readableDocuments(actor: Actor): Sql {
  return sql`d."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("d", "id"))}`;
}

/**
 * The ids of all documents that `readableDocuments` could select, and of some more, as an expression of type `uuid[]`: they are
 * found by the collections that the caller may read, one by one.
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

/** Condition on `documents p`: the same, for what stands above a document that is shown. */
export function readableParents(actor: Actor): Sql {
  return sql`p."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("p", "id"))}`;
}

/** Condition on `tombstones s`: the document was readable to the caller in the state that it left. */
export function readableTombstones(actor: Actor): Sql {
  return sql`s."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("s", "documentId"))}`;
}

/** Condition on `events e` about documents: the document was readable to the caller as the event left it. */
export function readableEvents(actor: Actor): Sql {
  return sql`e."teamId" = ${actor.teamId}::uuid AND ${readableColumns(actor, columnsOf("e", "documentId"))}`;
}

/** What editing asks beyond reading. */
function editableColumns(actor: Actor, columns: DocumentColumns): Sql {
  if (!holds(actor, "document.edit")) return sql`FALSE`;
  const orphan = holds(actor, "collection.edit") ? always : sql`${columns.createdById} = ${actor.userId}::uuid`;
  return sql`((${columns.collectionId} IN ${collectionsAt(actor, "write")} OR (${columns.collectionId} IS NULL AND ${orphan}))
    AND ${keyAllows(actor, "write", columns.collectionId, columns.id)})`;
}

/** What trashing and restoring ask beyond reading. */
function deletableColumns(actor: Actor, columns: DocumentColumns): Sql {
  const own = holds(actor, "document.delete") ? always : sql`${columns.createdById} = ${actor.userId}::uuid`;
  return sql`(${own} AND ${editableColumns(actor, columns)})`;
}

/** Condition on `documents d`: those that the caller may edit. `readableDocuments` is part of it. */
export function editableDocuments(actor: Actor): Sql {
  return sql`(${readableDocuments(actor)} AND ${editableColumns(actor, columnsOf("d", "id"))})`;
}

/** Condition on `documents d`: those that the caller may trash, and so may restore and see in the trash. */
export function deletableDocuments(actor: Actor): Sql {
  return sql`(${readableDocuments(actor)} AND ${deletableColumns(actor, columnsOf("d", "id"))})`;
}

/**
 * Condition on `documents p`, where `d` is its child: the caller may know of it. A parent in the trash is known from the
 * trash alone, and there to those who could restore it.
 */
export function knownParents(actor: Actor): Sql {
  return sql`(${readableParents(actor)} AND (p."deletedAt" IS NULL
    OR (d."deletedAt" IS NOT NULL AND ${deletableColumns(actor, columnsOf("p", "id"))})))`;
}

/** Condition on `collections c`: those that `decideCollection(actor, "read", …)` allows, and that are not deleted. */
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

/** Condition on `tags t`: unrestricted ones, and restricted ones whose list names the user or one of their groups. */
export function visibleTags(actor: Actor): Sql {
  return sql`(t."teamId" = ${actor.teamId}::uuid AND (NOT t.restricted OR EXISTS (SELECT 1 FROM tag_grants g
    WHERE g."teamId" = ${actor.teamId}::uuid AND g."tagId" = t.id AND ${names(actor)})))`;
}
