import type { Client } from "../../clients/client.ts";
import { isOwnRedirectUri, redirectUriProblem } from "../../clients/redirect-uri.ts";
import { OauthError } from "../../oauth-error.ts";
import type { Parameters } from "../../parameters/read-parameters.ts";

/**
 * OAuth 2.1 §4.1.3: one of the client's own, to the letter, but for the port on its own machine. It may be left out where
 * the client has one alone. @throws {OauthError} for the user: nobody is sent where nobody registered.
 */
export function redirectUriIsRegistered(parameters: Parameters, client: Client): string {
  const chosen = chosenUri(parameters, client);
  // A browser that is sent to `javascript:` runs it: no row of the database may bring that about.
  const problem = redirectUriProblem(chosen);
  if (problem !== undefined) throw new OauthError("invalid_request", `The redirect_uri is not accepted: ${problem}.`);
  return chosen;
}

function chosenUri(parameters: Parameters, { redirectUris }: Client): string {
  const [only, another] = redirectUris;
  if (parameters.all("redirect_uri").length === 0 && only !== undefined && another === undefined) return only;
  const presented = parameters.get("redirect_uri");
  if (presented === undefined) throw new OauthError("invalid_request", "redirect_uri is missing, or there twice.");
  if (isOwnRedirectUri(redirectUris, presented)) return presented;
  throw new OauthError("invalid_request", "The redirect_uri is not one of those that the app has registered.");
}
