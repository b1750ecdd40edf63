import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Caller } from "./caller.ts";

/** Returns the caller's data for the SDK. An API key without expiry is reported as valid for one more hour. */
export function authInfoOf({ actor, principal }: Caller, resource: Resource): AuthInfo {
  const { token } = actor.credential;
  return {
    // The SDK does not need the secret, so it receives the name of the credential.
    token: principal,
    clientId: token?.clientId ?? principal,
    scopes: [...actor.scopes],
    expiresAt:
      token === undefined ? Math.floor(Date.now() / 1000) + 3600 : Math.floor(token.expiresAt.getTime() / 1000),
    resource: resource.url,
    ...(resource.metadataUrl === undefined ? {} : { resourceMetadataUrl: resource.metadataUrl }),
  };
}

/** The endpoint as an OAuth protected resource. */
export type Resource = { readonly url: URL; readonly metadataUrl?: string };
