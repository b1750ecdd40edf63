import { invoke, operations, type Service, ServiceError } from "@kb/core";
import type { BrowserSession, EdgeContext } from "@kb/http";
import type { OauthScope } from "../scopes.ts";
import { callbackUrl } from "./callback.ts";
import type { AuthorizationRequest } from "./read-request.ts";
import { shownApp } from "./shown-app.ts";

/**
 * Grants the scopes to the app and returns the address that delivers the code to it.
 * @throws {ServiceError} `mcp_disabled`, `forbidden` for a user who may not consent any more, `conflict` for a deleted app.
 */
export async function allowApp(
  context: EdgeContext,
  service: Service,
  loggedIn: BrowserSession,
  { client, callback, codeChallenge, resource }: AuthorizationRequest,
  scopes: readonly OauthScope[],
): Promise<string> {
  const { address, requestId } = context.var;
  const input = { ...shownApp(client), redirectUri: callback.redirectUri, codeChallenge, resource, scopes };
  try {
    const { code } = await invoke(service, operations.authorizeApp, loggedIn.actor, input, { address, requestId });
    return callbackUrl(callback, { code });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
    throw new ServiceError("conflict", "The app's registration was deleted meanwhile. Connect it again from the app.");
  }
}
