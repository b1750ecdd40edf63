import type { ClientAuthentication, ClientMetadata } from "@kb/auth";
import { z } from "zod";
import { OauthError } from "../oauth-error.ts";
import { displayText } from "./display-text.ts";
import { redirectUriProblem } from "./redirect-uri.ts";

const maxRedirectUris = 20;
const maxNameLength = 100;
const maxUriLength = 500;

const methods: readonly ClientAuthentication[] = ["none", "client_secret_basic", "client_secret_post"];

/** The fields of RFC 7591 §2 that are read; that section requires servers to ignore the rest. Null counts as missing. */
const SentMetadata = z.object({
  redirect_uris: z.array(z.string()).nullish(),
  token_endpoint_auth_method: z.string().nullish(),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
  client_name: z.string().nullish(),
  client_uri: z.string().nullish(),
});

/**
 * Reads the metadata of a client from its registration or its document.
 * @throws {OauthError} `invalid_redirect_uri`, `invalid_client_metadata` (RFC 7591 §3.2.2).
 */
export function readClientMetadata(sent: object, defaultMethod: ClientAuthentication): ClientMetadata {
  const parsed = SentMetadata.safeParse(sent);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "");
    if (field === "redirect_uris") {
      throw new OauthError("invalid_redirect_uri", "redirect_uris must be a list of strings.");
    }
    throw new OauthError("invalid_client_metadata", `${field} has the wrong type.`);
  }
  const { redirect_uris, client_name, client_uri, grant_types, response_types } = parsed.data;
  requireSupported("grant_types", grant_types, "authorization_code");
  requireSupported("response_types", response_types, "code");
  return {
    name: displayText(client_name ?? "", maxNameLength),
    redirectUris: readRedirectUris(redirect_uris ?? []),
    authentication: readMethod(parsed.data.token_endpoint_auth_method ?? defaultMethod),
    clientUri: isWebAddress(client_uri ?? "") ? (client_uri ?? null) : null,
  };
}

/** RFC 7591 §2.1: a list must contain the value that is supported; its other values are dropped. */
function requireSupported(field: string, values: readonly string[] | null | undefined, supported: string): void {
  if (values === null || values === undefined || values.includes(supported)) return;
  throw new OauthError("invalid_client_metadata", `${field} must contain ${supported}, the only supported value.`);
}

function readRedirectUris(uris: readonly string[]): readonly string[] {
  if (uris.length === 0) throw new OauthError("invalid_redirect_uri", "redirect_uris is missing or empty.");
  if (uris.length > maxRedirectUris) {
    throw new OauthError("invalid_redirect_uri", `redirect_uris may have at most ${maxRedirectUris} entries.`);
  }
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) throw new OauthError("invalid_redirect_uri", `${uri.slice(0, 200)}: ${problem}.`);
  }
  return [...new Set(uris)];
}

function readMethod(name: string): ClientAuthentication {
  const method = methods.find((supported) => supported === name);
  if (method !== undefined) return method;
  throw new OauthError(
    "invalid_client_metadata",
    `token_endpoint_auth_method ${name.slice(0, 50)} is not supported. Use one of ${methods.join(", ")}.`,
  );
}

/** An invalid home page is dropped: nothing depends on it. */
function isWebAddress(text: string): boolean {
  return text.length <= maxUriLength && text.startsWith("https://") && redirectUriProblem(text) === undefined;
}
