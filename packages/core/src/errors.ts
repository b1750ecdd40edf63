import { BusyError } from "@kb/auth";
import { DatabaseUnavailableError } from "@kb/db";

/** The closed set of codes that a caller may see. The edges hold the tables from code to status or tool error. */
export type ErrorCode =
  | "authentication_required"
  | "invalid_api_key"
  | "invalid_token"
  | "insufficient_scope"
  | "forbidden"
  | "mcp_disabled"
  | "not_found"
  | "not_in_trash"
  | "method_not_allowed"
  | "revision_conflict"
  | "conflict"
  | "idempotency_mismatch"
  | "sync_window_expired"
  | "payload_too_large"
  | "unsupported_media_type"
  | "validation_error"
  | "inline_image_rejected"
  | "heading_not_found"
  | "text_not_found"
  | "text_ambiguous"
  | "rate_limited"
  | "internal_error"
  | "unavailable";

/** One entry of an error's `details`: where, and what is wrong there. */
export type ErrorDetail = { path: string; message: string; [fact: string]: unknown };

/** The one error of the service: a stable code, a sentence for a person, and where it helps, the places. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** When a repeat may succeed, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: readonly ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** What may not be there. */
export type Thing =
  | "Document"
  | "Collection"
  | "Tag"
  | "Revision"
  | "Route"
  | "File"
  | "Webhook"
  | "Delivery"
  | "User"
  | "Group"
  | "API key"
  | "Channel"
  | "Token"
  | "Session"
  | "Connected app";

/** The answer for what is not there and for what the caller may not see: the same words for both. */
export function notFound(what: Thing): ServiceError {
  return new ServiceError("not_found", `${what} not found`);
}

export function invalid(path: string, message: string): ServiceError {
  return new ServiceError("validation_error", `${path}: ${message}`, { details: [{ path, message }] });
}

/** How long a client should wait while the database is away, in seconds. */
const unavailableRetrySeconds = 2;

/** Whatever was thrown, as the edges tell it; of an unknown error nothing is told. */
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
    return new ServiceError("unavailable", "Too much is going on just now. Try again shortly.", { retryAfterSeconds });
  }
  return new ServiceError("internal_error", "Something went wrong on our side.", { cause: thrown });
}
