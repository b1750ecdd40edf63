export { createOauth, type OauthOptions } from "./app.ts";
export { oauthPaths } from "./paths.ts";
export { checkProvider } from "./single-sign-on/check-provider.ts";
