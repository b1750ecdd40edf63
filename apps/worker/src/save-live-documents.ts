import { type SavedDocuments, type Service, saveDueDocuments, saveUnsavedDocuments } from "@kb/core";
import { describeError, type Logger } from "@kb/runtime";

type SaveOptions = { readonly service: Service; readonly logger: Logger };

/** Writes the checkpoints of live editing that are due. Logs those that fail, without any text. */
export async function saveLiveDocuments({ service, logger }: SaveOptions): Promise<"done"> {
  logFailures(logger, await saveDueDocuments(service));
  return "done";
}

/** The maximum time for which a worker that stops saves what is unsaved. */
const lastSaveMs = 10_000;

/**
 * Saves all text that is only in the logs of live editing, because a previous release cannot write the bodies of such documents.
 * Never fails: what it does not reach, the next worker saves.
 */
export async function saveBeforeStop({ service, logger }: SaveOptions): Promise<void> {
  try {
    logFailures(logger, await saveUnsavedDocuments(service, AbortSignal.timeout(lastSaveMs)));
  } catch (error) {
    logger.error({ cause: describeError(error) }, "the text of live editing stays unsaved until the next start");
  }
}

function logFailures(logger: Logger, { failed }: SavedDocuments): void {
  for (const { teamId, documentId, error } of failed) {
    logger.error({ teamId, documentId, error }, "the checkpoint of a document that is edited live failed");
  }
}
