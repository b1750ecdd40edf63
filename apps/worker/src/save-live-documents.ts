import { type Service, saveDueDocuments } from "@kb/core";
import type { Logger } from "@kb/runtime";

type SaveOptions = { readonly service: Service; readonly logger: Logger };

/** Writes the checkpoints of live editing that are due. Logs those that fail, without any text. */
export async function saveLiveDocuments({ service, logger }: SaveOptions): Promise<"done"> {
  const { failed } = await saveDueDocuments(service);
  for (const { teamId, documentId, error } of failed) {
    logger.error({ teamId, documentId, error }, "the checkpoint of a document that is edited live failed");
  }
  return "done";
}
