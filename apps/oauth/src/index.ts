export { createOauth, type OauthOptions } from "./app.ts";
export { oauthPaths } from "./paths.ts";
export { SingleSignOnEnvironment, type SingleSignOnSettings, singleSignOnSettings } from "./single-sign-on/settings.ts";
