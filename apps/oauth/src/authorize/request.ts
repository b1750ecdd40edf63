import type { Client } from "../clients/client.ts";
import type { Clients } from "../clients/find-client.ts";
import { OauthError } from "../oauth-error.ts";
import { type Parameters, parametersOf } from "../parameters/read-parameters.ts";
import { requireResource } from "../resource.ts";
import { askedScopes, type OauthScope } from "../scopes.ts";
import { type Prompt, promptOf } from "./prompt.ts";
import { requestChecks } from "./request/checks.ts";
import { clientIsKnown } from "./request/client-is-known.ts";
import { redirectUriIsRegistered } from "./request/redirect-uri-is-registered.ts";
import type { WayBack } from "./send-back.ts";

/** A request in which nothing is wrong. */
export type AuthorizationRequest = {
  /** Its parameters in a normal form: the same ones again make the same request. */
  readonly query: string;
  readonly client: Client;
  readonly back: WayBack;
  readonly codeChallenge: string;
  readonly resource: string;
  /** What is asked for; nothing where no scope that there is was named. */
  readonly asked: readonly OauthScope[];
  readonly prompt: ReadonlySet<Prompt>;
};

/** Of a request that is wrong after all: what its app is told. */
export type FaultyRequest = { readonly back: WayBack; readonly fault: OauthError };

type Ground = { readonly appUrl: string; readonly clients: Clients; readonly address: string };

/**
 * Reads and checks a request.
 * @throws {OauthError} for the user, where it is not known whose request it is, or where its answer may go.
 */
export async function readRequest(
  sent: URLSearchParams,
  { appUrl, clients, address }: Ground,
): Promise<AuthorizationRequest | FaultyRequest> {
  const parameters = parametersOf(sent);
  const client = await clientIsKnown(parameters, clients, address);
  const redirectUri = redirectUriIsRegistered(parameters, client);
  const back = { redirectUri, state: parameters.get("state"), issuer: appUrl };
  const query = new URLSearchParams(sent).toString();
  try {
    for (const check of requestChecks) check({ parameters, query, appUrl, client, redirectUri });
  } catch (error) {
    if (error instanceof OauthError) return { back, fault: error };
    throw error;
  }
  return { query, client, back, ...contentOf(parameters, appUrl) };
}

function contentOf(parameters: Parameters, appUrl: string) {
  return {
    codeChallenge: parameters.get("code_challenge") ?? "",
    resource: requireResource(appUrl, parameters),
    asked: askedScopes(parameters.get("scope")),
    prompt: promptOf(parameters),
  };
}
