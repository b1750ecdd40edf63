import { asServiceError, type ErrorCode, type ErrorDetail, type ServiceError } from "@kb/core";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The one table from an error's code to its HTTP status. */
export const statusOf: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  validation_error: 400,
  inline_image_rejected: 400,
  authentication_required: 401,
  invalid_api_key: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  mcp_disabled: 403,
  not_found: 404,
  not_in_trash: 404,
  heading_not_found: 404,
  text_not_found: 404,
  method_not_allowed: 405,
  // 412 where the guard came in `If-Match`: see `statusFor`.
  revision_conflict: 409,
  conflict: 409,
  idempotency_mismatch: 409,
  text_ambiguous: 409,
  sync_window_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** The body of every error of the service. */
export type ErrorBody = {
  error: string;
  code: ErrorCode;
  details?: readonly ErrorDetail[];
  retryAfterSeconds?: number;
};

/** An error as it goes out. */
export type ErrorAnswer = { status: ContentfulStatusCode; body: ErrorBody; headers: Record<string, string> };

/** Turns whatever was thrown into an answer; of an unknown error nothing is told. */
export function errorAnswer(thrown: unknown): ErrorAnswer {
  const error = asServiceError(thrown);
  const { code, details, retryAfterSeconds } = error;
  const headers: Record<string, string> = {};
  const status = statusFor(error);
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  const body: ErrorBody = {
    error: error.message,
    code,
    ...(details === undefined ? {} : { details }),
    ...(code === "rate_limited" && retryAfterSeconds !== undefined ? { retryAfterSeconds } : {}),
  };
  return { status, body, headers };
}

/** RFC 9110 §15.5.13: a guard that came as a precondition fails as one. */
function statusFor(error: ServiceError): ContentfulStatusCode {
  if (error.code === "revision_conflict" && error.details?.[0]?.path === "If-Match") return 412;
  return statusOf[error.code];
}
