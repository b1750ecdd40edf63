/** The error codes that callers may see. Edges map them to status codes and tool errors. */
export type ErrorCode =
  | "authentication_required"
  | "invalid_api_key"
  | "invalid_token"
  | "insufficient_scope"
  | "forbidden"
  | "proof_required"
  | "mcp_disabled"
  | "not_found"
  | "not_in_trash"
  | "method_not_allowed"
  | "revision_conflict"
  | "conflict"
  | "idempotency_mismatch"
  | "editing_now"
  | "lineage_changed"
  | "schema_ahead"
  | "sync_window_expired"
  | "too_old"
  | "payload_too_large"
  | "too_complex"
  | "steps_refused"
  | "unsupported_media_type"
  | "validation_error"
  | "inline_image_rejected"
  | "heading_not_found"
  | "text_not_found"
  | "text_ambiguous"
  | "rate_limited"
  | "internal_error"
  | "unavailable";

/** One entry of an error's `details`: a place and the problem there. */
export type ErrorDetail = { path: string; message: string; [fact: string]: unknown };

/** The error class of the service: a stable code, a sentence for a person, and the places of the problem. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** The number of seconds after which a retry may succeed. */
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

/** The kinds of things that may not be found. */
export type Thing =
  | "Document"
  | "Import"
  | "Collection"
  | "Tag"
  | "Revision"
  | "Route"
  | "File"
  | "Webhook"
  | "Delivery"
  | "User"
  | "Group"
  | "Invitation"
  | "API key"
  | "Channel"
  | "Token"
  | "Session"
  | "Second factor"
  | "Passkey"
  | "Logo"
  | "Picture"
  | "Challenge"
  | "Change"
  | "Connected app"
  | "App request";

/** Returns the error for a thing that is absent or hidden from the caller, in the same words. */
export function notFound(what: Thing): ServiceError {
  return new ServiceError("not_found", `${what} not found`);
}

/** Returns a `validation_error` about one field. */
export function invalid(path: string, message: string): ServiceError {
  return new ServiceError("validation_error", `${path}: ${message}`, { details: [{ path, message }] });
}
