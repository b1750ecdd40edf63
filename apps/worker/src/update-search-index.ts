import { indexOutdatedDocuments, type Service } from "@kb/core";
import type { Logger } from "@kb/runtime";

type UpdateOptions = { readonly service: Service; readonly logger: Logger };

/** Indexes the documents again that an earlier release has indexed. */
export async function updateSearchIndex({ service, logger }: UpdateOptions): Promise<"done"> {
  const indexed = await indexOutdatedDocuments(service);
  if (indexed > 0) logger.info({ indexed }, "search index");
  return "done";
}
