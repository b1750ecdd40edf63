import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Makes the token of a session: 32 random bytes, as the cookie holds them. */
export const makeSessionToken = (): string => randomBytes(32).toString("base64url");

/** Whether the text has the form of such a token: another cookie of the name costs no look-up. */
export const isSessionToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/**
 * The CSRF token of a session, computed from its own: it is stored nowhere, no other session has it, and who reads it in
 * a page learns nothing of the cookie.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("kb csrf").digest("base64url");
}

/** Whether the text is the CSRF token of the session, in a time that tells nothing of where they differ. */
export function isCsrfTokenOf(sessionToken: string, given: string): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const received = Buffer.from(given);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
