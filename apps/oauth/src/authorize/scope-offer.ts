import { type OauthScope, oauthScopes, scopeText } from "../scopes.ts";

/** The choices of the consent page, the least access first, and the preselected one. */
export type ScopeOffer = { readonly choices: readonly (readonly OauthScope[])[]; readonly preselected: string };

const readOnly: readonly OauthScope[] = ["read"];

/** Offers at most the requested scopes. Without a requested scope, both choices are offered and `read` is preselected. */
export function offerScopes(requested: readonly OauthScope[]): ScopeOffer {
  const choices = requested.length === 1 ? [readOnly] : [readOnly, oauthScopes];
  return { choices, preselected: scopeText(requested.length === 0 ? readOnly : requested) };
}
