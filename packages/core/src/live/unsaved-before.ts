import { asServiceError } from "../as-service-error.ts";
import { ServiceError } from "../errors.ts";
import { unsavable } from "./log-tasks.ts";

/** Returns the error for callers whose change of the body needs what was typed before it, which could not be saved. */
export function unsavedBefore(cause: unknown): ServiceError {
  const error = asServiceError(cause);
  if (error.code === "internal_error") return unsavable(cause);
  if (error.code === "unavailable") return error;
  const message = `What was typed last in this document cannot be saved: ${error.message} Delete a part of it in the editor, then try again. Until then you can change the title, the tags and the place, but not the text.`;
  return new ServiceError(error.code, message, { details: [{ path: "content", message: error.message }], cause });
}
