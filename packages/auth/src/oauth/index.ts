export { type CodeBinding, issueCode } from "./codes.ts";
export {
  createGrant,
  type EndedGrant,
  endGrants,
  type GrantRef,
  type GrantScope,
  type NewGrant,
  type WhichGrants,
} from "./grants.ts";
export { type OauthKeys, oauthKeys } from "./keys.ts";
export { defaultLifetimes, type OauthLifetimes } from "./lifetimes.ts";
export { isOauthToken, makeOauthToken, type OauthPrefix } from "./tokens.ts";
