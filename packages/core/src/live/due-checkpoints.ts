import { sql } from "@kb/db";
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

/** A checkpoint that failed. */
export type FailedCheckpoint = DocumentKey & { readonly error: unknown };

/**
 * Saves the documents whose checkpoint is due, also those of a process that died. Several processes may run it at once. Returns
 * the number of documents, and the failures: those documents are tried again by the next run.
 */
export async function saveDueDocuments(
  service: CheckpointService,
): Promise<{ readonly saved: number; readonly failed: readonly FailedCheckpoint[] }> {
  const due = await findDue(service);
  const failed: FailedCheckpoint[] = [];
  for (const { teamId, documentId } of due) {
    try {
      await settleDocument(service, teamId, documentId);
    } catch (error) {
      if (asServiceError(error).code === "unavailable") throw error;
      failed.push({ teamId, documentId, error });
    }
  }
  return { saved: due.length - failed.length, failed };
}

function findDue({ database, clock }: CheckpointService): Promise<readonly DocumentKey[]> {
  const now = clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const cost = sql`LEAST(${mostMs}, l."checkpointCost" * ${costShare}) * interval '1 ms'`;
  return database.acrossTeams.rows<DocumentKey>(sql`SELECT l."teamId", l."documentId" FROM live_documents l
    WHERE l."unsavedSince" IS NOT NULL AND l."unsavedSince" <= ${now}::timestamptz - ${cost}
      AND (l."lastBatchAt" <= ${before(restMs)} OR l."unsavedSince" <= ${before(longestMs)})
    ORDER BY l."unsavedSince" LIMIT ${batchSize}`);
}
