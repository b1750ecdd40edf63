import type { OauthKeys, OauthLifetimes } from "@kb/auth";

/** By what codes for apps are made. */
export type AppAuthorization = { readonly keys: OauthKeys; readonly lifetimes: OauthLifetimes };
