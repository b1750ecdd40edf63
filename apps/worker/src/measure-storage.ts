import { measureDocuments, type Service } from "@kb/core";
import type { Logger } from "@kb/runtime";

type MeasureOptions = { readonly service: Service; readonly logger: Logger };

/** Measures the documents that an earlier release wrote, so that they count for the quotas. */
export async function measureStorage({ service, logger }: MeasureOptions): Promise<"done"> {
  const measured = await measureDocuments(service);
  if (measured > 0) logger.info({ measured }, "storage");
  return "done";
}
