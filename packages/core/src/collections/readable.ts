import { type Actor, readableCollections } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { notFound } from "../errors.ts";

/**
 * Requires that the caller may read all of these distinct collections, and locks their rows until the rows that name
 * them are written.
 * @throws {ServiceError} `not_found` when one is hidden or absent.
 */
export async function requireReadable(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.rows(sql`SELECT 1 FROM collections c
    WHERE ${readableCollections(actor)} AND c.id = ANY(${ids}::uuid[]) ORDER BY c.id FOR KEY SHARE OF c`);
  if (rows.length < ids.length) throw notFound("Collection");
}
