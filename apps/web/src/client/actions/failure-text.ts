import type { Messages } from "../../messages/index.ts";
import { Failure } from "../api/failure.ts";

/** Returns what did not work, in words for the reader. */
export function failureText(error: unknown, messages: Messages): string {
  if (!(error instanceof Failure)) return messages.actionFailed;
  if (error.status === 0) return messages.actionOffline;
  if (error.status === 404) return messages.actionGone;
  if (error.code === "proof_required") return messages.actionUnproven;
  if (error.status === 403) return messages.actionForbidden;
  if (error.status === 429) return messages.actionLimited(error.retryAfterSeconds ?? 60);
  if (error.code === "revision_conflict") return messages.actionConflict;
  return messages.refusal(error.message, error.code);
}

/** Returns the number of the request that an administrator finds in the log; undefined where the service is not at fault. */
export const referenceOf = (error: unknown): string | undefined =>
  error instanceof Failure && error.status >= 500 ? error.requestId : undefined;
