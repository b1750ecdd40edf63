import { createHmac, randomBytes } from "node:crypto";
import { deriveKey, isSameSecret } from "@kb/auth";
import { ServiceError } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { getCookie, setCookie } from "hono/cookie";

/** Protects the log-in form against CSRF: binds it to a browser that has no session yet. */
export type LogInFormGuard = {
  /** Returns the CSRF token for the form of this answer; sets the cookie in a browser without it. */
  csrfToken(context: EdgeContext): string;
  /** @throws {ServiceError} `forbidden` unless our own form was sent from the browser that it was shown to. */
  requireOwnForm(context: EdgeContext, csrf: string): void;
};

const isNonce = (text: string | undefined): text is string => text !== undefined && /^[\w-]{24}$/.test(text);

/**
 * Creates the guard. The cookie holds a random number, and the form its HMAC under a key of the installation: an attacker
 * can neither forge nor read them. Nothing is stored.
 */
export function createLogInFormGuard({ secret, appUrl }: { secret: string; appUrl: string }): LogInFormGuard {
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
        throw new ServiceError("forbidden", `This form was sent from ${originName(origin)}. Log in at ${appUrl}.`);
      }
      const nonce = getCookie(context, name);
      if (!isNonce(nonce)) {
        const message = "Your browser did not send the cookie of the log-in page. Allow cookies for this site.";
        throw new ServiceError("forbidden", message);
      }
      if (isSameSecret(tokenOf(nonce), csrf)) return;
      throw new ServiceError("forbidden", "The log-in page has expired. Go back to it and try again.");
    },
  };
}

/** Browsers send `Origin: null` for a page that hides its address. */
const originName = (origin: string): string => (origin === "null" ? "a page that hides its address" : origin);
