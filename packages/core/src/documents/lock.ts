import { type Actor, visibleDocument } from "@kb/auth";
import { type Sql, sql, type Tx } from "@kb/db";
import { type BodyParts, type DocumentWithFacts, findDocument, withFacts } from "./row.ts";

/**
 * Locks one document for a read-modify-write and reads it; null for one that is hidden, which is not locked either. Two
 * statements: the second one sees what the transaction that held the lock before has committed.
 */
export async function lockDocument(
  tx: Tx,
  actor: Actor,
  id: string,
  parts: BodyParts = {},
): Promise<DocumentWithFacts | null> {
  const locked = await tx.rows(sql`SELECT 1 FROM documents d ${withFacts(actor)}
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid AND ${visibleDocument(actor)} FOR UPDATE OF d`);
  return locked.length === 0 ? null : findDocument(tx, actor, id, parts);
}

/** Locks the rows that a condition on `documents d` selects, in the order of their ids, so that two batches never cross. */
export async function lockDocuments(tx: Tx, actor: Actor, condition: Sql): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND ${condition}
    ORDER BY d.id FOR UPDATE`);
}

/**
 * The team's tree of documents: `exclusive` for what changes whose child is whose or trashes whole subtrees, `shared` for
 * putting a new document below another. So no cycle can be made by two moves, and no child appears under a parent that is
 * being trashed. Taken before any row lock.
 */
export async function lockTree(tx: Tx, teamId: string, mode: "shared" | "exclusive"): Promise<void> {
  const key = sql`hashtextextended(${`tree:${teamId}`}, 0)`;
  await tx.rows(
    mode === "exclusive"
      ? sql`SELECT pg_advisory_xact_lock(${key})::text AS "teamId"`
      : sql`SELECT pg_advisory_xact_lock_shared(${key})::text AS "teamId"`,
  );
}
