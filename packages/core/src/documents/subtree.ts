import { type Actor, deletableDocuments, editableDocuments } from "@kb/auth";
import { type Reader, type Sql, sql, stampChange } from "@kb/db";
import { emit, type Happening } from "../events.ts";
import type { WriteContext } from "../operation.ts";
import { documentHappening } from "./save.ts";
import { bury, type LeftState } from "./tombstones.ts";

/** A document below another, and whether the caller's rights reach it. */
export type Descendant = LeftState & {
  readonly title: string;
  readonly revision: number;
  readonly archivedAt: Date | null;
  readonly archiveBatchId: string | null;
  readonly included: boolean;
};

/**
 * What stands below a document, as far as the caller may act on it; where that ends, the first document that stays is
 * listed with `included` false, and what is below it is not listed.
 */
export async function descendants(
  reader: Reader,
  actor: Actor,
  rootId: string,
  may: "delete" | "edit",
): Promise<Descendant[]> {
  const allowed = may === "delete" ? deletableDocuments(actor) : editableDocuments(actor);
  const columns = sql`d.id, d.title, d.revision, d."collectionId", d."publishedAt", d."createdById", d."archivedAt",
    d."archiveBatchId"`;
  return reader.rows<Descendant>(sql`
    WITH RECURSIVE tree AS (
      SELECT ${columns}, ${allowed} AS included
      FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND d."parentDocumentId" = ${rootId}::uuid
        AND d."deletedAt" IS NULL
      UNION ALL
      SELECT ${columns}, ${allowed} AS included
      FROM documents d JOIN tree t ON d."parentDocumentId" = t.id
      WHERE t.included AND d."teamId" = ${actor.teamId}::uuid AND d."deletedAt" IS NULL
    ) SELECT * FROM tree ORDER BY id`);
}

/** Condition on `documents d`: one of these. */
export const among = (ids: readonly string[]): Sql => sql`d.id = ANY(${ids}::uuid[])`;

/** One change of many documents at once. */
export type Batch = {
  readonly documents: readonly (LeftState & { title: string; revision: number })[];
  /** Assignments; `stamped.at` is the moment that the row gets. */
  readonly set: Sql;
  readonly event: Happening["type"];
  readonly changed: readonly string[];
  /** Whether the documents leave the sight of those who could see them. */
  readonly leaves: boolean;
  /** Where they go, when they leave their collection. */
  readonly collectionId?: string;
};

/** What a batch needs to know of its caller: the retention of the trash is one too. */
export type BatchContext = Pick<WriteContext, "tx" | "actor" | "now" | "appUrl">;

/**
 * Changes many documents in one statement. Every one gets a revision, a moment (so that no two share a millisecond) and an
 * event of its own. Gives the moment of the first. The caller holds the locks of the rows.
 */
export async function saveBatch(context: BatchContext, batch: Batch): Promise<Date> {
  const { tx, actor, now, appUrl } = context;
  const { documents } = batch;
  const ids = documents.map((document) => document.id);
  const stamp = await stampChange(tx, actor.teamId, now, documents.length);
  const saved = await tx.rows<{ id: string; revision: number }>(sql`
    WITH stamped AS (
      SELECT id, ${stamp.at}::timestamptz + (place - 1) * interval '1 ms' AS at
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS listed(id, place)
    )
    UPDATE documents d SET ${batch.set}, revision = d.revision + 1, "updatedAt" = stamped.at
    FROM stamped WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = stamped.id RETURNING d.id, d.revision`);
  const revisions = new Map(saved.map((row) => [row.id, row.revision]));
  if (batch.leaves) {
    const moment = (index: number) => new Date(stamp.at.getTime() + index);
    await bury(
      tx,
      actor.teamId,
      documents.map((state, index) => ({ state, at: moment(index) })),
    );
  }
  await emit(
    tx,
    actor,
    stamp,
    documents.map((document) =>
      documentHappening(
        batch.event,
        {
          ...document,
          collectionId: batch.collectionId ?? document.collectionId,
          revision: revisions.get(document.id) ?? document.revision,
        },
        batch.changed,
        appUrl,
      ),
    ),
  );
  return stamp.at;
}
