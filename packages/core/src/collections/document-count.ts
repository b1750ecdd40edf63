import { type Actor, readableTotal } from "@kb/auth";
import { type Sql, sql } from "@kb/db";

/** Returns an expression that counts the documents of the collection `c` that the caller may read, without trash and archive. */
export function documentCountOf(actor: Actor): Sql {
  return sql`(${readableTotal(actor, sql`d."archivedAt" IS NULL`, { collectionId: sql`c.id` })})::int`;
}
