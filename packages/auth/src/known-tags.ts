import { empty, type Sql, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { readableTotal } from "./countable.ts";
import { visibleTags } from "./readable.ts";

/** Returns an expression that counts the documents with the tag `t` that the caller may read, archived ones included. */
const readableCarriers = (actor: Actor): Sql => readableTotal(actor, sql`TRUE`, { tagId: sql`t.id` });

/**
 * Returns the condition on `tags t` that the caller may learn their names: a document that they may read carries the tag,
 * or no document at all does. A restricted key sees no unused tags. `carriers` counts the readable documents, for a caller
 * that has counted them already.
 */
export function knownTags(actor: Actor, carriers: Sql = readableCarriers(actor)): Sql {
  // Links of documents in the trash count as uses, or trashing a secret document would reveal its tags.
  const isUsed = sql`(SELECT TRUE FROM document_tags dt
    WHERE dt."teamId" = ${actor.teamId}::uuid AND dt."tagId" = t.id LIMIT 1)`;
  const unused = actor.restrictedKeyId === null ? sql` OR t.restricted OR ${isUsed} IS NULL` : empty;
  return sql`(${visibleTags(actor)} AND (${carriers} > 0${unused}))`;
}
