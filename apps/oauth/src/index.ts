export { createOauth, type OauthOptions } from "./app.ts";
export { oauthPaths } from "./paths.ts";
export { AuthorizationVariables, type OauthSettings, oauthSettings } from "./settings.ts";
export { checkProvider } from "./single-sign-on/check-provider.ts";
export {
  requireWholeSingleSignOn,
  type SingleSignOnSettings,
  SingleSignOnVariables,
  singleSignOnSettings,
} from "./single-sign-on/settings.ts";
