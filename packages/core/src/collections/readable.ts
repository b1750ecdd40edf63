import { type Actor, readableCollections } from "@kb/auth";
import { empty, type Reader, sql } from "@kb/db";
import { notFound } from "../errors.ts";

/**
 * Requires that the caller may read all of these distinct collections, and locks their rows until the rows that name
 * them are written; `no lock` for a caller that writes nothing.
 * @throws {ServiceError} `not_found` when one is hidden or absent.
 */
export async function requireReadable(
  reader: Reader,
  actor: Actor,
  ids: readonly string[],
  lock: "lock" | "no lock" = "lock",
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await reader.rows(sql`SELECT 1 FROM collections c
    WHERE ${readableCollections(actor)} AND c.id = ANY(${ids}::uuid[]) ORDER BY c.id ${lock === "lock" ? sql`FOR KEY SHARE OF c` : empty}`);
  if (rows.length < ids.length) throw notFound("Collection");
}
