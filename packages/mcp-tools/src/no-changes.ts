import { type ErrorDetail, ServiceError } from "@kb/core";

/** What asks for nothing is told so, rather than done. */
export function noChanges(path: string, message: string): ServiceError {
  const detail: ErrorDetail = { path, message, noChanges: true };
  return new ServiceError("validation_error", message, { details: [detail] });
}
