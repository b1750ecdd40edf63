import type { OauthError } from "../oauth-error.ts";

/** Where an app receives the answer: its redirect URI, with its own `state`. */
export type Callback = {
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** RFC 9207: names the server that answers, so that an app of several servers cannot mix them up. */
  readonly issuer: string;
};

/** Returns the address of an answer. The redirect URI is kept as it is, with its own query (OAuth 2.1 §2.3). */
export function callbackUrl(
  { redirectUri, state, issuer }: Callback,
  answer: Readonly<Record<string, string>>,
): string {
  const parts = { ...answer, ...(state === undefined ? {} : { state }), iss: issuer };
  // A space is written as %20: some clients do not decode a plus sign.
  const query = new URLSearchParams(parts).toString().replaceAll("+", "%20");
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}

/** Returns the address that reports an error to the app (OAuth 2.1 §4.1.2.1). */
export function errorUrl(callback: Callback, { code, message }: Pick<OauthError, "code" | "message">): string {
  return callbackUrl(callback, { error: code, error_description: message });
}

/** Returns the address that tells the app that the user denied access. */
export function denialUrl(callback: Callback): string {
  return errorUrl(callback, { code: "access_denied", message: "The user did not allow it." });
}
