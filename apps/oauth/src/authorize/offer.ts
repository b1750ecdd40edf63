import { type OauthScope, oauthScopes, scopeText } from "../scopes.ts";

/** What the user may choose from, the least first, and what is chosen already. */
export type Offer = { readonly scopes: readonly (readonly OauthScope[])[]; readonly preselected: string };

const readOnly: readonly OauthScope[] = ["read"];

/** No more than was asked; where no scope was named both are offered, and the lesser is chosen already. */
export function offerOf(asked: readonly OauthScope[]): Offer {
  const scopes = asked.length === 1 ? [readOnly] : [readOnly, oauthScopes];
  return { scopes, preselected: scopeText(asked.length === 0 ? readOnly : asked) };
}
