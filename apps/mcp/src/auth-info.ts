import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Caller } from "./caller.ts";

/** What the SDK is told of the caller; keys that never run out are good for another hour whenever they come. */
export function authInfoOf({ actor, principal }: Caller, resource: Resource): AuthInfo {
  const { token } = actor.credential;
  return {
    // Nothing needs the secret itself behind this door.
    token: principal,
    clientId: token?.clientId ?? principal,
    scopes: [...actor.scopes],
    expiresAt:
      token === undefined ? Math.floor(Date.now() / 1000) + 3600 : Math.floor(token.expiresAt.getTime() / 1000),
    resource: resource.url,
    ...(resource.metadataUrl === undefined ? {} : { resourceMetadataUrl: resource.metadataUrl }),
  };
}

/** The endpoint as OAuth knows it. */
export type Resource = { readonly url: URL; readonly metadataUrl?: string };
