import type { OauthKeys, OauthLifetimes } from "@kb/auth";

/** The keys and lifetimes with which codes for apps are issued. */
export type AppAuthorization = { readonly keys: OauthKeys; readonly lifetimes: OauthLifetimes };
