import { type ErrorDetail, ServiceError } from "@kb/core";

/** Returns the error for a call that would change nothing. */
export function noChanges(path: string, message: string): ServiceError {
  const detail: ErrorDetail = { path, message, noChanges: true };
  return new ServiceError("validation_error", message, { details: [detail] });
}
