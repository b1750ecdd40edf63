import { empty, type Sql, sql } from "@kb/db";
import { type Actor, holds } from "./actor.ts";
import { collectionLevel, keyDocumentLevel } from "./readable.ts";

/**
 * The policy for one document that a statement looks up: a hidden row is left out by the statement itself. It is not read
 * any further then, so that the time of the answer tells no more than its words.
 */

/** The facts of `documents d` in its collection `c`, which may be missing: to be joined as `CROSS JOIN LATERAL … f`. */
export function documentFacts(actor: Actor): Sql {
  // Without OFFSET each mention of a fact would be computed anew.
  return sql`(SELECT CASE WHEN c.id IS NULL THEN NULL ELSE ${collectionLevel(actor, "c")} END AS level,
    ${keyDocumentLevel(actor)} AS "keyLevel" OFFSET 0)`;
}

/**
 * Condition on `documents d` with its facts `f`: anything but hidden. That is what the caller may read, and in the trash
 * what they could restore.
 */
export function visibleDocument(actor: Actor): Sql {
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
}
