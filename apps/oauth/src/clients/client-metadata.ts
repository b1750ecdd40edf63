import { z } from "zod";
import { OauthError } from "../oauth-error.ts";
import type { ClientAuthentication, ClientMetadata } from "./client.ts";
import { displayText } from "./display-text.ts";
import { redirectUriProblem } from "./redirect-uri.ts";

const maxRedirectUris = 20;
const maxNameLength = 100;
const maxUriLength = 500;

const methods: readonly ClientAuthentication[] = ["none", "client_secret_basic", "client_secret_post"];

/** What is read of RFC 7591 §2; the rest is ignored, as that section asks. Null counts as left out. */
const Sent = z.object({
  redirect_uris: z.array(z.string()).nullish(),
  token_endpoint_auth_method: z.string().nullish(),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
  client_name: z.string().nullish(),
  client_uri: z.string().nullish(),
});

/**
 * Reads what a client says of itself, in a registration or in its document. `otherwise` is how it shows itself where it
 * does not say.
 * @throws {OauthError} `invalid_redirect_uri`, `invalid_client_metadata`: RFC 7591 §3.2.2.
 */
export function readClientMetadata(sent: object, otherwise: ClientAuthentication): ClientMetadata {
  const parsed = Sent.safeParse(sent);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "");
    if (field === "redirect_uris") throw new OauthError("invalid_redirect_uri", "redirect_uris is no list of texts.");
    throw new OauthError("invalid_client_metadata", `${field} is not of the type that it should be.`);
  }
  const { redirect_uris, client_name, client_uri, grant_types, response_types } = parsed.data;
  requireOne("grant_types", grant_types, "authorization_code");
  requireOne("response_types", response_types, "code");
  return {
    name: displayText(client_name ?? "", maxNameLength),
    redirectUris: readRedirectUris(redirect_uris ?? []),
    authentication: readMethod(parsed.data.token_endpoint_auth_method ?? otherwise),
    clientUri: isWebAddress(client_uri ?? "") ? (client_uri ?? null) : null,
  };
}

/** RFC 7591 §2.1: what the client asks for has to have what there is. What else it asks for is left out. */
function requireOne(field: string, asked: readonly string[] | null | undefined, wanted: string): void {
  if (asked === null || asked === undefined || asked.includes(wanted)) return;
  throw new OauthError("invalid_client_metadata", `${field} must have ${wanted}: nothing else is offered here.`);
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

function readMethod(asked: string): ClientAuthentication {
  const method = methods.find((known) => known === asked);
  if (method !== undefined) return method;
  throw new OauthError(
    "invalid_client_metadata",
    `token_endpoint_auth_method ${asked.slice(0, 50)} is not offered here: use one of ${methods.join(", ")}.`,
  );
}

/** A home page that is none is left out: nothing depends on it. */
function isWebAddress(text: string): boolean {
  return text.length <= maxUriLength && text.startsWith("https://") && redirectUriProblem(text) === undefined;
}
