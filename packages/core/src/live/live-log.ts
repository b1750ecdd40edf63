import { type Sql, sql, type Tx } from "@kb/db";

/** The channel on which every accepted batch is announced; the payload is the id of its document. */
export const liveChannel = "kb_live";

/** The `clientId` of a batch that no client sent. */
const noClient = "00000000-0000-0000-0000-000000000000";

/** The bytes of the steps of a row of `live_batches b`, without reading the steps themselves. */
export const bytesOfBatch: Sql = sql`COALESCE(b.bytes, octet_length(b.steps::text))`;

/** The document of a log, and the version after which batches are meant. */
export type LogPosition = { readonly teamId: string; readonly documentId: string; readonly version: number };

/** A batch that follows from a change of the saved body: the body contains it already. */
export type SavedBatch = {
  /** As JSON text. */
  readonly steps: string;
  readonly authorId: string | null;
  readonly kind: string;
  readonly now: Date;
};

/** Appends a batch that the body contains, after everything in the log. Sent with the next statement; announced after the commit. */
export function appendSaved(tx: Tx, { teamId, documentId, version }: LogPosition, batch: SavedBatch): void {
  const { steps, authorId, kind, now } = batch;
  tx.executeWithNext(sql`WITH appended AS (
      INSERT INTO live_batches ("teamId", "documentId", version, "clientId", seq, "authorId", kind, at, steps, bytes, origins)
      VALUES (${teamId}::uuid, ${documentId}::uuid, ${version + 1}, ${noClient}::uuid, 0, ${authorId}::uuid, ${kind}, ${now},
        ${steps}::jsonb, ${Buffer.byteLength(steps)}, '{}')
    )
    UPDATE live_documents SET version = ${version + 1}, "savedVersion" = ${version + 1}, "unsavedSince" = NULL,
      "lastBatchAt" = ${now}
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${documentId}::uuid`);
  tx.announce({ channel: liveChannel, payload: documentId });
}

/** Tells the database that the next change of this body keeps to its log: see the migration of the log. */
export function permitBodyChange(tx: Tx, documentId: string): void {
  tx.executeWithNext(sql`SELECT set_config('kb.live_body', ${documentId}, true)`);
}
