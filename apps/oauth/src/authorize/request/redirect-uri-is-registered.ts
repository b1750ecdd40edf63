import type { Client } from "../../clients/client.ts";
import { isOwnRedirectUri } from "../../clients/redirect-uri.ts";
import { OauthError } from "../../oauth-error.ts";
import type { Parameters } from "../../parameters/read-parameters.ts";

/**
 * OAuth 2.1 §4.1.3: one of the client's own, to the letter, but for the port on its own machine. It may be left out where
 * the client has one alone. @throws {OauthError} for the user: nobody is sent where nobody registered.
 */
export function redirectUriIsRegistered(parameters: Parameters, { redirectUris }: Client): string {
  const [only, another] = redirectUris;
  const sent = parameters.all("redirect_uri");
  if (sent.length === 0 && only !== undefined && another === undefined) return only;
  const presented = parameters.get("redirect_uri");
  if (presented === undefined) throw new OauthError("invalid_request", "redirect_uri is missing, or there twice.");
  if (isOwnRedirectUri(redirectUris, presented)) return presented;
  throw new OauthError("invalid_request", "The redirect_uri is not one of those that the app has registered.");
}
