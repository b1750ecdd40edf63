import { type Actor, collectionLevel, readableCollections, rightsOf, visibleTags } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";

/**
 * Returns an expression for a digest of what the caller may see as a whole: their rights, the collections with their level
 * in each, and the restricted tags. It changes with every change of access that hides or shows more than one document.
 */
export function scopeDigest(actor: Actor): Sql {
  return sql`(SELECT md5(${rightsOf(actor)} || COALESCE(string_agg(s.part, ' ' ORDER BY s.part), '')) FROM (
    SELECT c.id::text || ' ' || ${collectionLevel(actor, "c")}::text AS part FROM collections c WHERE ${readableCollections(actor)}
    UNION ALL SELECT t.id::text FROM tags t WHERE t."teamId" = ${actor.teamId}::uuid AND t.restricted AND ${visibleTags(actor)}) s)`;
}

/** Reads the digest. */
export async function readScopeDigest(reader: Reader, actor: Actor): Promise<string> {
  const [row] = await reader.rows<{ scope: string }>(sql`SELECT ${scopeDigest(actor)} AS scope`);
  if (row === undefined) throw new Error("an expression has a value");
  return row.scope;
}
