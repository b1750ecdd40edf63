import { type Sql, sql } from "@kb/db";
import { asServiceError } from "../as-service-error.ts";
import { settleDocument } from "./checkpoint.ts";
import type { DocumentKey } from "./unsaved-document.ts";
import type { CheckpointService } from "./write-checkpoint.ts";

/** A document is saved after this rest, and after the longer time while somebody types. */
const restMs = 2_000;
const longestMs = 10_000;
/** Checkpoints of a large document take at most one part in this of a processor, and come at least once in `mostMs`. */
const costShare = 20;
const mostMs = 60_000;
/** Documents of one run. */
const batchSize = 100;

/** A document whose checkpoint failed waits for this long, and for the shorter time where it may soon succeed. */
const failedMs = mostMs;
const busyMs = longestMs;

/** A checkpoint that failed. */
type FailedCheckpoint = DocumentKey & { readonly error: unknown };

/** The number of documents that were saved, and the failures: those documents are tried again later. */
export type SavedDocuments = { readonly saved: number; readonly failed: readonly FailedCheckpoint[] };

/** Saves the documents whose checkpoint is due, also those of a process that died. Several processes may run it at once. */
export async function saveDueDocuments(service: CheckpointService): Promise<SavedDocuments> {
  const now = service.clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const cost = sql`LEAST(${mostMs}, l."checkpointCost" * ${costShare}) * interval '1 ms'`;
  const isDue = sql`l."unsavedSince" <= ${now}::timestamptz - ${cost}
    AND (l."lastBatchAt" <= ${before(restMs)} OR l."unsavedSince" <= ${before(longestMs)})`;
  return saveEach(service, await findUnsaved(service, isDue));
}

/**
 * Saves every document that has unsaved text, due or not, until the signal is aborted: for the last worker that stops. A document
 * that cannot be saved is tried once.
 */
export async function saveUnsavedDocuments(service: CheckpointService, signal: AbortSignal): Promise<SavedDocuments> {
  const failed: FailedCheckpoint[] = [];
  let saved = 0;
  for (;;) {
    const unsaved = await findUnsaved(service, sql`true`);
    const result = await saveEach(service, unsaved, signal);
    saved += result.saved;
    failed.push(...result.failed);
    if (unsaved.length === 0 || signal.aborted) return { saved, failed };
  }
}

/** Every failure is that of its document: the others are saved all the same. */
async function saveEach(
  service: CheckpointService,
  documents: readonly DocumentKey[],
  signal?: AbortSignal,
): Promise<SavedDocuments> {
  const failed: FailedCheckpoint[] = [];
  let saved = 0;
  for (const { teamId, documentId } of documents) {
    if (signal?.aborted === true) break;
    try {
      await settleDocument(service, teamId, documentId);
      saved += 1;
    } catch (error) {
      failed.push({ teamId, documentId, error });
      await postpone(service, { teamId, documentId }, asServiceError(error).code === "unavailable" ? busyMs : failedMs);
    }
  }
  return { saved, failed };
}

function postpone({ database, clock }: CheckpointService, { teamId, documentId }: DocumentKey, ms: number) {
  const retryAt = new Date(clock.now().getTime() + ms);
  return database.acrossTeams.execute(sql`UPDATE live_documents SET "retryAt" = ${retryAt}
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${documentId}::uuid AND "unsavedSince" IS NOT NULL`);
}

/** Documents that failed before come after all others: however many there are, they keep nobody waiting. */
function findUnsaved({ database, clock }: CheckpointService, condition: Sql): Promise<readonly DocumentKey[]> {
  return database.acrossTeams.rows<DocumentKey>(sql`SELECT l."teamId", l."documentId" FROM live_documents l
    WHERE l."unsavedSince" IS NOT NULL AND (l."retryAt" IS NULL OR l."retryAt" <= ${clock.now()}) AND ${condition}
    ORDER BY l."retryAt" NULLS FIRST, l."unsavedSince" LIMIT ${batchSize}`);
}
