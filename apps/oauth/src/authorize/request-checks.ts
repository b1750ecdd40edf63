import type { OauthClient } from "@kb/auth";
import type { Clients } from "../clients/clients.ts";
import { isRegisteredRedirectUri, redirectUriProblem } from "../clients/redirect-uri.ts";
import { OauthError } from "../oauth-error.ts";
import { type Parameters, requireNoRepetition } from "../parameters.ts";
import { authorizePath } from "../paths.ts";
import { requireResource } from "../resource.ts";
import { maxReturnToLength } from "../return-to.ts";
import { readPrompt } from "./prompt.ts";

/**
 * OAuth 2.1 §4.1.1: `client_id` is required, once. `address` is the network address that the request comes from.
 * @throws {OauthError} for the user: without a client, the error has no other recipient.
 */
export async function requireClient(parameters: Parameters, clients: Clients, address: string): Promise<OauthClient> {
  const clientId = parameters.get("client_id");
  if (clientId === undefined) {
    throw new OauthError("invalid_request", "client_id is missing or was sent more than once.");
  }
  const client = await clients.find(clientId, address);
  if (client !== null) return client;
  throw new OauthError("invalid_client", "No app is registered under this client_id.");
}

/**
 * OAuth 2.1 §4.1.3: the redirect URI is one that the client registered, character for character except for a loopback port.
 * It may be left out if the client registered only one.
 * @throws {OauthError} for the user: the browser is never sent to an address that is not registered.
 */
export function requireRedirectUri(parameters: Parameters, client: OauthClient): string {
  const chosen = chooseRedirectUri(parameters, client);
  // A browser runs a `javascript:` address: a faulty row in the database must not lead there either.
  const problem = redirectUriProblem(chosen);
  if (problem !== undefined) throw new OauthError("invalid_request", `The redirect_uri is not accepted: ${problem}.`);
  return chosen;
}

function chooseRedirectUri(parameters: Parameters, { redirectUris }: OauthClient): string {
  const [first, second] = redirectUris;
  if (parameters.all("redirect_uri").length === 0 && first !== undefined && second === undefined) return first;
  const presented = parameters.get("redirect_uri");
  if (presented === undefined) {
    throw new OauthError("invalid_request", "redirect_uri is missing or was sent more than once.");
  }
  if (isRegisteredRedirectUri(redirectUris, presented)) return presented;
  throw new OauthError("invalid_request", "The redirect_uri is not one that the app registered.");
}

/** A request whose client and redirect URI are verified. */
export type IdentifiedRequest = {
  readonly parameters: Parameters;
  /** The parameters as a normalized query string. */
  readonly query: string;
  readonly appUrl: string;
};

/** One clause that a request must meet. @throws {OauthError} for the app. */
type Check = (request: IdentifiedRequest) => void;

/** OAuth 2.1 §3.1: no parameter occurs more than once, except `resource` (RFC 8707 §2). */
const requireUniqueParameters: Check = ({ parameters }) => requireNoRepetition(parameters);

/** The request must survive a log-in, which carries it in `return_to`. */
const requireAcceptableLength: Check = ({ query }) => {
  const maxLength = maxReturnToLength - authorizePath.length - 1;
  if (query.length <= maxLength) return;
  throw new OauthError("invalid_request", `The request is too long: at most ${maxLength} characters with its state.`);
};

/** OAuth 2.1 §4.1.1: `response_type` is required and is `code`: there is no implicit grant. */
const requireResponseTypeCode: Check = ({ parameters }) => {
  const type = parameters.get("response_type");
  if (type === undefined) throw new OauthError("invalid_request", "response_type is missing. It must be code.");
  if (type !== "code") throw new OauthError("unsupported_response_type", "response_type must be code.");
};

/** OAuth 2.0 Multiple Response Types §2.1: only `query`. An app that expects another mode could not read the answer. */
const requireResponseModeQuery: Check = ({ parameters }) => {
  const mode = parameters.get("response_mode");
  if (mode === undefined || mode === "query") return;
  throw new OauthError("invalid_request", "response_mode must be query or be left out.");
};

/** OAuth 2.1 §4.1.1: every client uses PKCE. */
const requireCodeChallenge: Check = ({ parameters }) => {
  if (parameters.get("code_challenge") !== undefined) return;
  throw new OauthError("invalid_request", "code_challenge is missing: PKCE with the method S256 is required.");
};

/** RFC 7636 §4.3: a missing method means `plain`, which proves nothing to an attacker who saw the request. */
const requireMethodS256: Check = ({ parameters }) => {
  if (parameters.get("code_challenge_method") === "S256") return;
  throw new OauthError("invalid_request", "code_challenge_method must be S256: plain is not accepted.");
};

/** RFC 7636 §4.2: BASE64URL(SHA256(verifier)) always has 43 characters. */
const requireDigestLength: Check = ({ parameters }) => {
  if (/^[\w-]{43}$/.test(parameters.get("code_challenge") ?? "")) return;
  throw new OauthError("invalid_request", "code_challenge must be the base64url of a SHA-256: 43 characters.");
};

/** RFC 8707 §2: tokens are for one resource; any other is `invalid_target`. */
const requireKnownResource: Check = ({ appUrl, parameters }) => {
  requireResource(appUrl, parameters);
};

/** OpenID Connect Core §3.1.2.1: `none` excludes every other prompt. */
const requirePromptNoneAlone: Check = ({ parameters }) => {
  const prompt = readPrompt(parameters);
  if (!prompt.has("none") || prompt.size === 1) return;
  throw new OauthError("invalid_request", "prompt none cannot be combined with another prompt.");
};

/** The clauses that a request must meet once its client and redirect URI are verified, in order. */
export const requestChecks: readonly Check[] = [
  requireUniqueParameters,
  requireAcceptableLength,
  requireResponseTypeCode,
  requireResponseModeQuery,
  requireCodeChallenge,
  requireMethodS256,
  requireDigestLength,
  requireKnownResource,
  requirePromptNoneAlone,
];
