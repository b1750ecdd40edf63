import { newId, type Tx } from "@kb/db";

/** Tombstones are kept this long; an older `updatedSince` with `includeDeleted` cannot be answered. */
export const tombstoneTtlMs = 90 * 24 * 60 * 60 * 1000;

/** The state that a document leaves: who could see it there hears that it is gone. */
export type LeftState = {
  readonly id: string;
  readonly collectionId: string | null;
  readonly publishedAt: Date | null;
  readonly createdById: string | null;
};

/** Notes that documents left somebody's sight; `at` is the `updatedAt` that the change gave each. */
export async function bury(tx: Tx, teamId: string, left: readonly { state: LeftState; at: Date }[]): Promise<void> {
  if (left.length === 0) return;
  await tx.tombstone.createMany({
    data: left.map(({ state, at }) => ({
      teamId,
      id: newId(),
      documentId: state.id,
      at,
      collectionId: state.collectionId,
      publishedAt: state.publishedAt,
      createdById: state.createdById,
    })),
  });
}
