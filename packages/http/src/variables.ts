// The entry point for programs that read the variables and may not need the servers.
export { OauthTokenVariables, oauthKeysOf } from "./oauth-token-variables.ts";
export { type RequestLimits, requestLimits } from "./request-limits.ts";
