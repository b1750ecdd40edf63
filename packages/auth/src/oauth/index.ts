export { authenticateAccessToken, unnamedApp } from "./access-token.ts";
export type { ClientAuthentication, ClientMetadata, OauthClient } from "./client.ts";
export { recordClientUse } from "./client-use.ts";
export { type CodeBinding, type HeldCode, issueCode, type Redemption, redeemCode } from "./codes.ts";
export { findClient, type StoredClient } from "./find-client.ts";
export {
  createGrant,
  type EndGrant,
  type GrantMisuse,
  type GrantRef,
  type GrantScope,
  type HeldGrant,
  hasLiveGrant,
  isLiveGrant,
  type NewGrant,
} from "./grants.ts";
export type { IssuedTokens, Issuing } from "./issue.ts";
export { type OauthKeys, oauthKeys } from "./keys.ts";
export { defaultLifetimes, type OauthLifetimes } from "./lifetimes.ts";
export { type Refreshed, rotateRefreshToken } from "./refresh.ts";
export { type RegisteredClient, registerClient } from "./register-client.ts";
export { revokeOauthToken } from "./revoke.ts";
export { storeClient } from "./store-client.ts";
