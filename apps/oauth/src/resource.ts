import { OauthError } from "./oauth-error.ts";
import type { Parameters } from "./parameters.ts";

/** The only resource that tokens are for: the MCP endpoint. */
export const resourceOf = (appUrl: string): string => `${appUrl}/api/mcp`;

/**
 * RFC 8707 §2: returns the resource of a request; without the parameter it is the MCP endpoint. Clients write it with or
 * without a trailing slash, and the host in any case.
 * @throws {OauthError} `invalid_target` for any other resource.
 */
export function requireResource(appUrl: string, parameters: Parameters): string {
  const resource = resourceOf(appUrl);
  for (const named of parameters.all("resource")) {
    const url = URL.parse(named);
    if (url === null || named.includes("#") || url.href.replace(/\/$/, "") !== resource) {
      throw new OauthError("invalid_target", `Tokens are issued only for ${resource}.`);
    }
  }
  return resource;
}
