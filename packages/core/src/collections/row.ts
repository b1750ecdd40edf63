import { type Actor, type CollectionAction, type CollectionFacts, collectionLevel, keyCollectionLevel } from "@kb/auth";
import { empty, type Reader, type Sql, sql, type Tx } from "@kb/db";
import type { z } from "zod";
import { notFound } from "../errors.ts";
import type { DomainEvent } from "../events.ts";
import type { Collection } from "../schema/collection.ts";
import { timestamp, timestampOrNull } from "../schema/text.ts";
import { requireCollectionAccess } from "./access.ts";

/** A row of `collectionColumns`. */
export type CollectionRow = {
  id: string;
  teamId: string;
  name: string;
  icon: string | null;
  color: string | null;
  description: string | null;
  createdById: string | null;
  archivedAt: Date | null;
  sortOrder: number;
  createdAt: Date;
  updatedAt: Date;
};

/** The select list for `collections c`. */
export const collectionColumns = sql`c.id, c."teamId", c.name, c.icon, c.color, c.description, c."createdById",
  c."archivedAt", c."sortOrder", c."createdAt", c."updatedAt"`;

/** Returns the collection as the contract shows it. */
export function presentCollection(row: CollectionRow): z.input<typeof Collection> {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    color: row.color,
    description: row.description,
    teamId: row.teamId,
    createdById: row.createdById,
    archivedAt: timestampOrNull(row.archivedAt),
    sortOrder: row.sortOrder,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  };
}

/**
 * Reads a collection on which the policy allows the action, with the facts of the policy. Deleted collections do not exist.
 * @throws {ServiceError} `not_found` when it is hidden, `forbidden` when the caller may only see it.
 */
export async function requireCollection(
  reader: Reader,
  actor: Actor,
  action: CollectionAction,
  id: string,
  lock: Sql = empty,
): Promise<CollectionRow & CollectionFacts> {
  const [row] = await reader.rows<CollectionRow & CollectionFacts>(sql`
    SELECT ${collectionColumns}, ${collectionLevel(actor, "c")} AS level, ${keyCollectionLevel(actor)} AS "keyLevel"
    FROM collections c WHERE c."teamId" = ${actor.teamId}::uuid AND c.id = ${id}::uuid AND c."deletedAt" IS NULL ${lock}`);
  if (row === undefined) throw notFound("Collection");
  requireCollectionAccess(actor, action, row);
  return row;
}

/** Like `requireCollection`, but locks the row for a change and reads it after the lock is held. */
export async function lockCollection(
  tx: Tx,
  actor: Actor,
  action: CollectionAction,
  id: string,
): Promise<CollectionRow> {
  await tx.rows(sql`SELECT 1 FROM collections c WHERE c."teamId" = ${actor.teamId}::uuid AND c.id = ${id}::uuid
    FOR UPDATE`);
  return requireCollection(tx, actor, action, id);
}

/** Returns an event about a collection. */
export function collectionEvent(
  type: DomainEvent["type"],
  collection: { id: string; name: string },
  changed: readonly string[],
): DomainEvent {
  return { type, data: { id: collection.id, title: collection.name, changed }, collectionId: collection.id };
}
