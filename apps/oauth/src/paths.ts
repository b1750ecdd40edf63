/** The path of the authorization server's metadata (RFC 8414 §3). */
export const authorizationServerPath = "/.well-known/oauth-authorization-server";
/** The path of the resource's metadata (RFC 9728 §3). */
export const protectedResourcePath = "/.well-known/oauth-protected-resource";

/** The paths of this app: on a port shared with other apps, these and everything below them are routed here. */
export const oauthPaths = [
  "/login",
  "/logout",
  "/join",
  "/forgot",
  "/reset",
  "/setup",
  "/oauth",
  authorizationServerPath,
  protectedResourcePath,
] as const;

/** The authorization endpoint. */
export const authorizePath = "/oauth/authorize";

/** The redirect URI of the single sign-on. */
export const callbackPath = "/login/callback";

/** A log-in by passkey, without a password. */
export const passkeyPath = "/login/passkey";

/** The second step of a log-in. */
export const secondStepPath = "/login/code";
