import { asServiceError, type ErrorCode, type ErrorDetail, type ServiceError } from "@kb/core";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ClientGone } from "./client-gone.ts";

/** Maps the code of an error to its HTTP status. This is the only such table. */
export const statusOf: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  validation_error: 400,
  inline_image_rejected: 400,
  authentication_required: 401,
  invalid_api_key: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  proof_required: 403,
  mcp_disabled: 403,
  not_found: 404,
  not_in_trash: 404,
  heading_not_found: 404,
  text_not_found: 404,
  method_not_allowed: 405,
  // 412 for a failed precondition: see `isFailedPrecondition`.
  revision_conflict: 409,
  conflict: 409,
  idempotency_mismatch: 409,
  editing_now: 409,
  lineage_changed: 409,
  schema_ahead: 409,
  text_ambiguous: 409,
  sync_window_expired: 410,
  too_old: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  steps_refused: 422,
  too_complex: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** The body of every error. */
export type ErrorBody = {
  error: string;
  code: ErrorCode;
  details?: readonly ErrorDetail[];
  retryAfterSeconds?: number;
};

/** The answer for an error. */
export type ErrorAnswer = { status: ContentfulStatusCode; body: ErrorBody; headers: Record<string, string> };

/** Returns the answer for anything that was thrown. The answer for an unknown error reveals nothing about it. */
export function errorAnswer(thrown: unknown): ErrorAnswer {
  const error = asServiceError(thrown);
  const { code, details, retryAfterSeconds } = error;
  const headers: Record<string, string> = {};
  const failedPrecondition = isFailedPrecondition(error);
  const status = failedPrecondition ? 412 : statusFor(error);
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  const body: ErrorBody = {
    error: error.message,
    code,
    ...(details === undefined ? {} : { details: failedPrecondition ? details.map(inHeader) : details }),
    ...(code === "rate_limited" && retryAfterSeconds !== undefined ? { retryAfterSeconds } : {}),
  };
  return { status, body, headers };
}

const statusFor = (error: ServiceError): ContentfulStatusCode =>
  error instanceof ClientGone ? clientClosedRequest() : statusOf[error.code];

/** Returns the status that nginx logs for a client that disconnected, so that nobody takes it for a failure of the service. */
function clientClosedRequest(): ContentfulStatusCode {
  return 499 as number as ContentfulStatusCode;
}

/** Tells whether the guard of the error came in `If-Match`: it then fails as a precondition (RFC 9110 §15.5.13). */
function isFailedPrecondition({ code, details }: ServiceError): boolean {
  return code === "revision_conflict" && details?.[0]?.path === "expectedRevisions";
}

/** Names the header in which the client sent the expected revisions. */
const inHeader = (detail: ErrorDetail): ErrorDetail => ({ ...detail, path: "If-Match" });
