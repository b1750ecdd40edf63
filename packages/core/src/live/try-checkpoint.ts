import { asServiceError } from "../as-service-error.ts";
import type { CallMetadata } from "../context.ts";
import { PrepareAgain } from "../prepare-again.ts";
import { settleDocument } from "./checkpoint.ts";
import type { DocumentKey } from "./unsaved-document.ts";

const callsWithoutCheckpoint = new WeakSet<CallMetadata>();

/** Whether this call has found that its document cannot be saved as it is, for instance because it is too large. */
export const lacksCheckpoint = (call: CallMetadata): boolean => callsWithoutCheckpoint.has(call);

/**
 * Returns what `run` throws to have its document saved before it goes on. Where that fails for good, `lacksCheckpoint` tells the
 * next attempt; the call ends only where it may succeed later (`unavailable`).
 */
export function tryCheckpoint(call: CallMetadata, { teamId, documentId }: DocumentKey): PrepareAgain {
  return new PrepareAgain(async (service) => {
    try {
      await settleDocument(service, teamId, documentId);
    } catch (error) {
      if (asServiceError(error).code === "unavailable") throw error;
      callsWithoutCheckpoint.add(call);
    }
    return undefined;
  });
}
