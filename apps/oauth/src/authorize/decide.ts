import { invoke, operations, type Service, ServiceError } from "@kb/core";
import type { EdgeContext, LoggedIn } from "@kb/http";
import type { OauthScope } from "../scopes.ts";
import type { AuthorizationRequest } from "./request.ts";
import { addressBack, errorBack } from "./send-back.ts";

/** The address by which an app hears that it was not let in. */
export const refusedBack = ({ back }: Pick<AuthorizationRequest, "back">): string =>
  errorBack(back, { code: "access_denied", message: "The user did not allow it." });

/**
 * Lets the app in; gives the address by which it hears of it.
 * @throws {ServiceError} `mcp_disabled`, `forbidden` for somebody who may not any more.
 */
export async function allow(
  context: EdgeContext,
  service: Service,
  loggedIn: LoggedIn,
  { client, back, codeChallenge, resource }: AuthorizationRequest,
  scopes: readonly OauthScope[],
): Promise<string> {
  const { address, requestId } = context.var;
  const input = { clientId: client.id, redirectUri: back.redirectUri, codeChallenge, resource, scopes };
  try {
    const { code } = await invoke(service, operations.authorizeApp, loggedIn.actor, input, { address, requestId });
    return addressBack(back, { code });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
    throw new ServiceError("conflict", "The app was removed here meanwhile. Connect it anew from the app itself.");
  }
}
