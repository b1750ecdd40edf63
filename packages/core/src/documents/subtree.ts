import { type Actor, deletableDocuments, editableDocuments } from "@kb/auth";
import { empty, type Reader, type Sql, sql, stampChange, type Tx } from "@kb/db";
import type { WriteContext } from "../context.ts";
import type { DomainEvent } from "../events.ts";
import { documentEvent } from "./save.ts";
import { type VisibilityFacts, writeTombstones } from "./tombstones.ts";

/** A document below another, and whether the caller may act on it. */
export type Descendant = BatchDocument & {
  readonly archivedAt: Date | null;
  readonly archiveBatchId: string | null;
  readonly included: boolean;
};

/**
 * Returns the documents below a document that the caller may act on. The first document that they may not act on is
 * included with `included` false; documents below it are not.
 */
export async function descendants(
  reader: Reader,
  actor: Actor,
  rootId: string,
  may: "delete" | "edit",
): Promise<Descendant[]> {
  const allowed = may === "delete" ? deletableDocuments(actor) : editableDocuments(actor);
  const columns = sql`${batchColumns}, d."archivedAt", d."archiveBatchId"`;
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

/** Returns the condition that `documents d` is one of these. */
export const among = (ids: readonly string[]): Sql => sql`d.id = ANY(${ids}::uuid[])`;

/** A document of a batch, before the change. */
export type BatchDocument = VisibilityFacts & { readonly title: string; readonly revision: number };

/** Reads the documents that a condition on `documents d` selects, by id; `lock` locks them too. */
export function findBatchDocuments(tx: Tx, actor: Actor, condition: Sql, lock: Sql = empty): Promise<BatchDocument[]> {
  return tx.rows<BatchDocument>(sql`SELECT ${batchColumns} FROM documents d
    WHERE d."teamId" = ${actor.teamId}::uuid AND ${condition} ORDER BY d.id ${lock}`);
}

/** The columns of a `BatchDocument` of `documents d`. */
export const batchColumns = sql`d.id, d.title, d.revision, d."collectionId", d."publishedAt", d."createdById"`;

/** One change of many documents. */
export type Batch = {
  readonly documents: readonly BatchDocument[];
  /** Assignments. `stamped.at` is the time of the row's change. */
  readonly set: Sql;
  readonly event: DomainEvent["type"];
  readonly changed: readonly string[];
  /** Whether users who could see the documents lose sight of them. */
  readonly leaves: boolean;
  /** The collection to which they move, if they leave theirs. */
  readonly collectionId?: string;
};

/** The assignment, after a comma, that names who made a change: for those of which the time is shown with their author. */
export const byActor = ({ actor }: Pick<WriteContext, "actor">): Sql =>
  sql`, "lastModifiedById" = ${actor.userId}::uuid`;

/** The part of a context that a batch needs; a job has it too. */
export type BatchContext = Pick<WriteContext, "tx" | "outbox" | "actor" | "now" | "appUrl">;

/**
 * Changes many documents in one statement. Each one gets its own revision, time (so that no two share a millisecond)
 * and event. Returns the time of the first. The caller holds the locks of the rows.
 */
export async function saveBatch(context: BatchContext, batch: Batch): Promise<Date> {
  const { tx, outbox, actor, now, appUrl } = context;
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
    await writeTombstones(
      tx,
      actor.teamId,
      documents.map((state, index) => ({ state, at: moment(index) })),
    );
  }
  outbox.emit(
    stamp,
    documents.map((document) =>
      documentEvent(
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
