import { empty, type Sql, sql } from "@kb/db";
import { type Actor, holds } from "./actor.ts";
import { perActor } from "./per-actor.ts";
import { collectionLevel, keyDocumentLevel } from "./readable.ts";

/**
 * The policy as conditions for the look-up of one document. The statement itself omits a hidden row, which is read no
 * further, so that the time of the answer reveals no more than its content.
 */

/** Selects the facts of `documents d` in its collection `c`, which may be missing; joined by `CROSS JOIN LATERAL … f`. */
export function documentFacts(actor: Actor): Sql {
  // Without OFFSET, each use of a fact would be computed again.
  return sql`(SELECT CASE WHEN c.id IS NULL THEN NULL ELSE ${collectionLevel(actor, "c")} END AS level,
    ${keyDocumentLevel(actor)} AS "keyLevel" OFFSET 0)`;
}

/**
 * Returns the condition on `documents d` with its facts `f` that the document is not hidden: the caller may read it or, in
 * the trash, could restore it.
 */
export const visibleDocument = perActor((actor): Sql => {
  if (!holds(actor, "document.read")) return sql`FALSE`;
  const mine = sql`(d."createdById" = ${actor.userId}::uuid) IS TRUE`;
  const orphan = holds(actor, "collection.edit") ? sql`TRUE` : mine;
  const reaches = (level: "read" | "write"): Sql =>
    sql`(f.level >= ${level}::access_level OR (f.level IS NULL AND ${orphan}))`;
  const keyReaches = (level: "read" | "write"): Sql =>
    actor.restrictedKeyId === null ? sql`TRUE` : sql`f."keyLevel" >= ${level}::access_level`;
  const edits = holds(actor, "document.edit");
  const draft = edits ? sql` OR ${reaches("write")}` : empty;
  const restorable = edits
    ? sql` OR (${reaches("write")} AND ${keyReaches("write")} AND ${holds(actor, "document.delete") ? sql`TRUE` : mine})`
    : empty;
  return sql`(${reaches("read")} AND ${keyReaches("read")} AND (d."publishedAt" IS NOT NULL OR ${mine}${draft})
    AND (d."deletedAt" IS NULL${restorable}))`;
});
