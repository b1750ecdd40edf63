import type { EdgeContext } from "@kb/http";
import type { OauthError } from "../oauth-error.ts";

/** Where an app gets its answer: a redirect URI of its own, with its own `state`. */
export type WayBack = {
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** RFC 9207: which server answers, so that an app of many servers is not led astray. */
  readonly issuer: string;
};

/** The address of an answer. The redirect URI stays as it is, its own query too (OAuth 2.1 §2.3). */
export function addressBack({ redirectUri, state, issuer }: WayBack, answer: Readonly<Record<string, string>>): string {
  const parts = { ...answer, ...(state === undefined ? {} : { state }), iss: issuer };
  // A space as %20, which is read as one by those too who take a plus for a plus.
  const query = new URLSearchParams(parts).toString().replaceAll("+", "%20");
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}

/** The address by which the app hears of an error. */
export function errorBack(back: WayBack, { code, message }: Pick<OauthError, "code" | "message">): string {
  return addressBack(back, { error: code, error_description: message });
}

/** 303: what was a POST here is none there, so that no app ever gets the form (RFC 9700 §4.12). */
export function sendTo(context: EdgeContext, address: string): Response {
  context.header("Cache-Control", "no-store");
  return context.redirect(address, 303);
}
