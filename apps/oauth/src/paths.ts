/** Where the metadata of the authorization server is (RFC 8414 §3). */
export const authorizationServerPath = "/.well-known/oauth-authorization-server";

/** Where the metadata of the resource is (RFC 9728 §3). */
export const protectedResourcePath = "/.well-known/oauth-protected-resource";

/** What is served here; on one port with other apps these paths, and all below them, come here. */
export const oauthPaths = ["/login", "/logout", "/oauth", authorizationServerPath, protectedResourcePath] as const;

/** Where an app sends the user to be asked. */
export const authorizePath = "/oauth/authorize";

/** Where the provider of the single sign-on sends people back to. */
export const callbackPath = "/login/callback";
