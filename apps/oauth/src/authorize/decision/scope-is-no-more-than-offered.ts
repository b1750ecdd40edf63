import { ServiceError } from "@kb/core";
import { type OauthScope, scopeText } from "../../scopes.ts";

/** The user may grant less than was asked, never more. @throws {ServiceError} `validation_error` */
export function scopeIsNoMoreThanOffered(offered: readonly (readonly OauthScope[])[], chosen: string) {
  const scopes = offered.find((scope) => scopeText(scope) === chosen);
  if (scopes !== undefined) return scopes;
  throw new ServiceError("validation_error", "Choose what the app may do. Nothing was allowed.");
}
