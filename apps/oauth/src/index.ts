export { createOauth, type OauthOptions } from "./app.ts";
export { oauthPaths } from "./paths.ts";
