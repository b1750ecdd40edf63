import { type EdgeContext, type ErrorAnswer, recordError } from "@kb/http";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/**
 * The codes of RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2 and OpenID Connect Core §3.1.2.6, and
 * `too_many_requests`, which clients know from a 429.
 */
export type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "login_required"
  | "consent_required"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "too_many_requests"
  | "server_error"
  | "temporarily_unavailable";

/** Details of an error. The default status is 400, and 401 for `invalid_client`. */
export type OauthErrorOptions = {
  readonly status?: ContentfulStatusCode;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** An error of the protocol; its description is for the developer of the client. */
export class OauthError extends Error {
  override readonly name = "OauthError";
  readonly code: OauthErrorCode;
  readonly status: ContentfulStatusCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: OauthErrorCode, description: string, options: OauthErrorOptions = {}) {
    super(describable(description), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? (code === "invalid_client" ? 401 : 400);
    this.headers = options.headers ?? {};
  }
}

const maxDescriptionLength = 500;

/** RFC 6749 §5.2: a description has no characters outside %x20-21, %x23-5B, %x5D-7E. */
function describable(text: string): string {
  const plain = text.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
  return plain.length <= maxDescriptionLength ? plain : `${plain.slice(0, maxDescriptionLength - 3)}...`;
}

/** Answers as RFC 6749 §5.2 requires. An outage is 503 with `Retry-After`; a defect reveals no details. */
export function answerOauthError(context: EdgeContext, thrown: unknown): Response {
  const error = thrown instanceof OauthError ? thrown : fromService(recordError(context, thrown));
  if (error === thrown) context.set("failure", { code: error.code });
  for (const [name, value] of Object.entries(error.headers)) context.header(name, value);
  forbidCaching(context);
  return context.json({ error: error.code, error_description: error.message }, error.status);
}

/** RFC 6749 §5.1: an answer with credentials is not cached, by HTTP/1.0 caches either. */
export function forbidCaching(context: EdgeContext): void {
  context.header("Cache-Control", "no-store");
  context.header("Pragma", "no-cache");
}

/** Translates an error of the service, whose headers are set and which is in the log already. */
function fromService({ status, body }: ErrorAnswer): OauthError {
  return new OauthError(oauthCodes[body.code] ?? "invalid_request", body.error, { status });
}

const oauthCodes: Partial<Readonly<Record<ErrorAnswer["body"]["code"], OauthErrorCode>>> = {
  internal_error: "server_error",
  unavailable: "temporarily_unavailable",
  rate_limited: "too_many_requests",
};
