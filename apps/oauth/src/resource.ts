import { OauthError } from "./oauth-error.ts";
import type { Parameters } from "./parameters/read-parameters.ts";

/** The one resource that tokens are for: the MCP endpoint. */
export const resourceOf = (appUrl: string): string => `${appUrl}/api/mcp`;

/**
 * RFC 8707 §2: which resource a request is for; the one that there is where none is named. Clients write it with a slash
 * at its end, and hosts in any case.
 * @throws {OauthError} `invalid_target` for any other.
 */
export function requireResource(appUrl: string, parameters: Parameters): string {
  const own = resourceOf(appUrl);
  for (const named of parameters.all("resource")) {
    const url = URL.parse(named);
    if (url === null || named.includes("#") || url.href.replace(/\/$/, "") !== own) {
      throw new OauthError("invalid_target", `Tokens are given for ${own} alone.`);
    }
  }
  return own;
}
