/** A scope that an app can receive. `write` implies `read`; `admin` is never granted to an app. */
export type OauthScope = "read" | "write";

/** The scopes of tokens, in the order in which they are written. */
export const oauthScopes: readonly OauthScope[] = ["read", "write"];

/**
 * Reads a `scope` parameter. Unknown scopes are dropped, so the result may be empty (RFC 6749 §3.3). `offline_access` is
 * dropped too: refresh tokens are always issued.
 */
export function readScopes(scope: string | undefined): readonly OauthScope[] {
  const named = new Set((scope ?? "").split(" "));
  if (named.has("write")) return oauthScopes;
  return named.has("read") ? ["read"] : [];
}

/** Writes scopes as a `scope` parameter. */
export const scopeText = (scopes: readonly OauthScope[]): string => scopes.join(" ");
