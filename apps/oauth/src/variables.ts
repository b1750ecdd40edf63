// The entry point for programs that read the variables and may not need the app, which takes longer to load than most commands run.
export { AuthorizationVariables, type OauthSettings, oauthSettings } from "./settings.ts";
export {
  requireWholeSingleSignOn,
  type SingleSignOnSettings,
  SingleSignOnVariables,
  singleSignOnSettings,
} from "./single-sign-on/settings.ts";
