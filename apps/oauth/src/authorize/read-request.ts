import type { OauthClient } from "@kb/auth";
import type { Clients } from "../clients/clients.ts";
import { OauthError } from "../oauth-error.ts";
import { parseParameters } from "../parameters.ts";
import { requireResource } from "../resource.ts";
import { type OauthScope, readScopes } from "../scopes.ts";
import type { Callback } from "./callback.ts";
import { type Prompt, readPrompt } from "./prompt.ts";
import { type IdentifiedRequest, requestChecks, requireClient, requireRedirectUri } from "./request-checks.ts";

/** A valid request. */
export type AuthorizationRequest = {
  /** Its parameters, normalized; reading them again yields the same request. */
  readonly query: string;
  readonly client: OauthClient;
  readonly callback: Callback;
  readonly codeChallenge: string;
  readonly resource: string;
  /** The scopes that the app requests; empty if it names none that exists. */
  readonly scopes: readonly OauthScope[];
  readonly prompt: ReadonlySet<Prompt>;
};

/** A request with a verified client and redirect URI that is invalid otherwise. */
export type FaultyRequest = {
  readonly client: OauthClient;
  readonly callback: Callback;
  readonly fault: OauthError;
};

/** Dependencies of `readRequest`; `address` is the network address that the request comes from. */
type Dependencies = { readonly appUrl: string; readonly clients: Clients; readonly address: string };

/** Whether the request is invalid. */
export const isFaulty = (request: AuthorizationRequest | FaultyRequest): request is FaultyRequest => "fault" in request;

/**
 * Reads and checks a request.
 * @throws {OauthError} for the user, if the client or the redirect URI is unknown.
 */
export async function readRequest(
  received: URLSearchParams,
  { appUrl, clients, address }: Dependencies,
): Promise<AuthorizationRequest | FaultyRequest> {
  const parameters = parseParameters(received);
  const client = await requireClient(parameters, clients, address);
  const redirectUri = requireRedirectUri(parameters, client);
  const callback = { redirectUri, state: parameters.get("state"), issuer: appUrl };
  const query = new URLSearchParams(received).toString();
  const fault = findFault({ parameters, query, appUrl });
  if (fault !== undefined) return { client, callback, fault };
  return {
    query,
    client,
    callback,
    codeChallenge: parameters.get("code_challenge") ?? "",
    resource: requireResource(appUrl, parameters),
    scopes: readScopes(parameters.get("scope")),
    prompt: readPrompt(parameters),
  };
}

/** Returns the first clause that the request fails; undefined for a valid one. */
function findFault(request: IdentifiedRequest): OauthError | undefined {
  try {
    for (const check of requestChecks) check(request);
  } catch (error) {
    if (error instanceof OauthError) return error;
    throw error;
  }
  return undefined;
}
