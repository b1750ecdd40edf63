import type { EdgeContext } from "@kb/http";

/**
 * Sends the browser to an address with 303: a POST here becomes a GET there, so that no other site receives the form
 * (RFC 9700 §4.12). The answer is not cached.
 */
export function redirectTo(context: EdgeContext, address: string): Response {
  context.header("Cache-Control", "no-store");
  return context.redirect(address, 303);
}
