import { createHmac, randomBytes } from "node:crypto";
import { isSameSecret } from "../secrets.ts";

/** Creates the token of a session: 32 random bytes, as the cookie holds them. */
export const createSessionToken = (): string => randomBytes(32).toString("base64url");

/** Whether the text has the form of a session token: another cookie of that name costs no look-up. */
export const isSessionToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/**
 * Returns the CSRF token of a session, which is derived from the session token: it is stored nowhere, differs between
 * sessions, and does not reveal the cookie.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("kb csrf").digest("base64url");
}

/** Whether the text is the CSRF token of the session. */
export function isCsrfTokenOf(sessionToken: string, text: string): boolean {
  return isSameSecret(csrfTokenOf(sessionToken), text);
}
