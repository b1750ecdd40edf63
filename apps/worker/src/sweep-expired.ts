import { findLateConsumers, type Service, sweep } from "@kb/core";
import type { Logger } from "@kb/runtime";

type SweepOptions = { readonly service: Service; readonly logger: Logger; readonly trashRetentionDays: number };

/** Removes the rows whose retention has ended. Logs their number per table, and which consumers keep old events. */
export async function sweepExpired({ service, logger, trashRetentionDays }: SweepOptions): Promise<"done"> {
  const onPostponed = (reason: string): void =>
    logger.warn({ reason }, "the months of the audit log wait for the next sweep");
  const removed = await sweep(service, { trashRetentionDays, onPostponed });
  if (Object.keys(removed).length > 0) logger.info({ removed }, "retention");
  for (const lag of await findLateConsumers(service)) {
    logger.warn(lag, "retention keeps old events until this consumer has read them");
  }
  return "done";
}
