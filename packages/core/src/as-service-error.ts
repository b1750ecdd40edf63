import { BusyError } from "@kb/auth";
import { DatabaseUnavailableError } from "@kb/db";
import { ServiceError } from "./errors.ts";

/** The number of seconds after which clients retry while the database is away. */
const unavailableRetrySeconds = 2;

/** Returns an error for callers. It reveals nothing about an unknown error. */
export function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof DatabaseUnavailableError) {
    return new ServiceError("unavailable", "The service cannot reach its database. Try again shortly.", {
      retryAfterSeconds: unavailableRetrySeconds,
      cause: thrown,
    });
  }
  if (thrown instanceof BusyError) {
    const retryAfterSeconds = unavailableRetrySeconds;
    return new ServiceError("unavailable", "The service is busy. Try again shortly.", { retryAfterSeconds });
  }
  return new ServiceError("internal_error", "Something went wrong on the server.", { cause: thrown });
}
