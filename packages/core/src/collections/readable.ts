import { type Actor, readableCollections } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { notFound } from "../errors.ts";

/**
 * Asks that the caller may read all of these collections, each named once, and keeps their rows until what is about to name
 * them is written.
 * @throws {ServiceError} `not_found` when one is hidden or absent.
 */
export async function requireReadable(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.rows(sql`SELECT 1 FROM collections c
    WHERE ${readableCollections(actor)} AND c.id = ANY(${ids}::uuid[]) ORDER BY c.id FOR KEY SHARE OF c`);
  if (rows.length < ids.length) throw notFound("Collection");
}
