import { describeError } from "./describe-error.ts";
import type { Logger } from "./logger.ts";

/** Returns a function that logs one line when the bucket of attachments stops working, with the reason, and one when it works again. */
export function logFilesState(logger: Logger): (error: Error | undefined) => void {
  return (error) => {
    if (error === undefined) logger.info("the bucket of attachments works again");
    else logger.warn({ reason: describeError(error) }, "the bucket of attachments does not work");
  };
}
