import { newId, sql, type Tx } from "@kb/db";

/** Tombstones are kept for this long. An older `updatedSince` with `includeDeleted` cannot be answered. */
export const tombstoneTtlMs = 90 * 24 * 60 * 60 * 1000;

/** The state that a document leaves. Users who could see it in that state learn that it is gone. */
export type VisibilityFacts = {
  readonly id: string;
  readonly collectionId: string | null;
  readonly publishedAt: Date | null;
  readonly createdById: string | null;
};

/** Records that some users can no longer see documents. `at` is the `updatedAt` that the change set on each of them. */
export async function writeTombstones(
  tx: Tx,
  teamId: string,
  left: readonly { state: VisibilityFacts; at: Date }[],
): Promise<void> {
  if (left.length === 0) return;
  const rows = left.map(({ state, at }) => ({
    teamId,
    id: newId(),
    documentId: state.id,
    at,
    collectionId: state.collectionId,
    publishedAt: state.publishedAt,
    createdById: state.createdById,
  }));
  // As one value: thousands of rows of parameters would occupy the event loop for hundreds of milliseconds.
  await tx.execute(sql`INSERT INTO tombstones ("teamId", id, "documentId", at, "collectionId", "publishedAt", "createdById")
    SELECT "teamId", id, "documentId", at, "collectionId", "publishedAt", "createdById"
    FROM jsonb_populate_recordset(NULL::tombstones, ${JSON.stringify(rows)}::jsonb)`);
}
