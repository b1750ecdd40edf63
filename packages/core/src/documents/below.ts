import { type Actor, deletableDocuments, readableDocuments } from "@kb/auth";
import { type Sql, sql } from "@kb/db";

/** The chain of parents always ends at the top; this bounds the damage of a defect. */
const deepest = 100;

/**
 * Returns the condition that `documents d` is below a document, at any depth, along documents that the caller may see. With
 * `trashed`, the way may lead through documents that they may restore. Below a hidden document there is nothing. The children of
 * each document are looked up: `OFFSET` keeps the planner from reading all documents of the team for each level.
 */
export const isBelow = (actor: Actor, id: string, options?: BelowOptions): Sql =>
  sql`d.id = ANY (${idsBelow(actor, id, options)})`;

type BelowOptions = { readonly trashed?: boolean };

/** Returns the ids of these documents as an expression of type `uuid[]`. */
export function idsBelow(actor: Actor, id: string, { trashed = false }: BelowOptions = {}): Sql {
  const state = trashed ? sql`(d."deletedAt" IS NULL OR ${deletableDocuments(actor)})` : sql`d."deletedAt" IS NULL`;
  const seen = sql`${readableDocuments(actor)} AND ${state}`;
  return sql`ARRAY(WITH RECURSIVE below AS (
      SELECT d.id, 0 AS depth FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid AND ${seen}
      UNION ALL
      SELECT d.id, b.depth + 1 FROM below b CROSS JOIN LATERAL (SELECT d.id FROM documents d
        WHERE d."teamId" = ${actor.teamId}::uuid AND d."parentDocumentId" = b.id AND ${seen} OFFSET 0) d
      WHERE b.depth < ${deepest}::int
    ) SELECT below.id FROM below WHERE below.depth > 0)`;
}
