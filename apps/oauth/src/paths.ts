/** What is served here; on one port with other apps these paths, and all below them, come here. */
export const oauthPaths = ["/login", "/logout"] as const;

/** Where the provider of the single sign-on sends people back to. */
export const callbackPath = "/login/callback";
