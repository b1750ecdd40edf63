import { randomBytes } from "node:crypto";

/** `kbat_` for access tokens, `kbrt_` for refresh tokens, `kbac_` for authorization codes. */
export type OauthPrefix = "kbat_" | "kbrt_" | "kbac_";

/** Creates a token: the prefix and 32 random bytes (256 bits). */
export const createOauthToken = (prefix: OauthPrefix): string => prefix + randomBytes(32).toString("base64url");

/** Whether the text has the form of such a token; any other text costs no look-up. */
export function isOauthToken(prefix: OauthPrefix, text: string): boolean {
  return text.startsWith(prefix) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(prefix.length));
}
