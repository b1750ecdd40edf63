import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { deriveKey } from "@kb/auth";
import { ServiceError } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { getCookie, setCookie } from "hono/cookie";

/** Ties a form to the browser that it was shown to, before anybody is logged in. */
export type Guests = {
  /** The CSRF token for the form of this answer; a browser without the cookie gets it. */
  csrfToken(context: EdgeContext): string;
  /** @throws {ServiceError} `forbidden` unless a form of ours, shown to this very browser, was sent. */
  requireOwnForm(context: EdgeContext, csrf: string): void;
};

const isNonce = (text: string | undefined): text is string => text !== undefined && /^[\w-]{24}$/.test(text);

/**
 * The cookie holds a random number, the form its HMAC under a key of the installation: neither can be made up, and a page
 * elsewhere reads neither. Nothing is stored.
 */
export function guests(options: { secret: string; appUrl: string }): Guests {
  const { secret, appUrl } = options;
  const key = deriveKey(secret, "forms before a log-in");
  const secure = appUrl.startsWith("https:");
  const name = secure ? "__Host-kb_guest" : "kb_guest";
  const tokenOf = (nonce: string): string => createHmac("sha256", key).update(nonce).digest("base64url");

  return {
    csrfToken(context) {
      const known = getCookie(context, name);
      if (isNonce(known)) return tokenOf(known);
      const nonce = randomBytes(18).toString("base64url");
      setCookie(context, name, nonce, { path: "/", httpOnly: true, sameSite: "Lax", secure });
      return tokenOf(nonce);
    },
    requireOwnForm(context, csrf) {
      const origin = context.req.header("Origin");
      if (origin !== undefined && origin !== appUrl) {
        throw new ServiceError("forbidden", `This form was sent from ${shown(origin)}. Log in at ${appUrl}.`);
      }
      const nonce = getCookie(context, name);
      if (!isNonce(nonce)) {
        const message = "Your browser did not send the cookie of the log-in page. Allow cookies for this site.";
        throw new ServiceError("forbidden", message);
      }
      if (same(tokenOf(nonce), csrf)) return;
      throw new ServiceError("forbidden", "The log-in page was open for too long. Try again with this one.");
    },
  };
}

/** A page that hides where it is (`Origin: null`) is named so. */
const shown = (origin: string): string => (origin === "null" ? "a page that does not say where it is" : origin);

function same(expected: string, received: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(received)];
  return one.length === other.length && timingSafeEqual(one, other);
}
