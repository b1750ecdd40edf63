import { type EdgeContext, type ErrorAnswer, tellError } from "@kb/http";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The codes of RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2 and OpenID Connect §3.1.2.6; and what clients know for a 429. */
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

/** What an error says beside its code; the status is 400 where nothing else is said. */
export type OauthErrorOptions = {
  readonly status?: ContentfulStatusCode;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** An error of the protocol; its description is for whoever wrote the client. */
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

/** Answers as RFC 6749 §5.2 says. An outage is 503 with `Retry-After`; of a defect nothing is told but that it is one. */
export function answerOauthError(context: EdgeContext, thrown: unknown): Response {
  const error = thrown instanceof OauthError ? thrown : ofService(tellError(context, thrown));
  if (error === thrown) context.set("failure", { code: error.code });
  for (const [name, value] of Object.entries(error.headers)) context.header(name, value);
  context.header("Cache-Control", "no-store");
  context.header("Pragma", "no-cache");
  return context.json({ error: error.code, error_description: error.message }, error.status);
}

/** What the rest of the service throws, in the words of the protocol; its headers are set, and the log knows of it. */
function ofService({ status, body }: ErrorAnswer): OauthError {
  return new OauthError(wordsOf[body.code] ?? "invalid_request", body.error, { status });
}

const wordsOf: Partial<Readonly<Record<ErrorAnswer["body"]["code"], OauthErrorCode>>> = {
  internal_error: "server_error",
  unavailable: "temporarily_unavailable",
  rate_limited: "too_many_requests",
};
