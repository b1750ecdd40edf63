/** What an app may be allowed; `write` implies `read`, and `admin` is never given to one. */
export type OauthScope = "read" | "write";

/** The scopes that tokens may have, in the order in which they are written. */
export const oauthScopes: readonly OauthScope[] = ["read", "write"];

/**
 * What a `scope` parameter asks for: unknown ones are dropped, so it may be nothing (RFC 6749 §3.3). `offline_access` is
 * such a one: refresh tokens are always given.
 */
export function askedScopes(scope: string | undefined): readonly OauthScope[] {
  const asked = new Set((scope ?? "").split(" "));
  if (asked.has("write")) return oauthScopes;
  return asked.has("read") ? ["read"] : [];
}

/** As a `scope` is written. */
export const scopeText = (scopes: readonly OauthScope[]): string => scopes.join(" ");
