import type { EdgeMiddleware } from "./edge.ts";

/** For answers that are no page: nothing may run, nothing may frame them. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** For our own pages: a style sheet of ours, no script, no frame. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every answer; a page replaces the policy with its own. `https` adds HSTS. */
export function securityHeaders(options: { https: boolean }): EdgeMiddleware {
  return async (context, next) => {
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "no-referrer");
    context.header("X-Frame-Options", "DENY");
    context.header("Cross-Origin-Resource-Policy", "same-origin");
    context.header("Content-Security-Policy", apiPolicy);
    if (options.https) context.header("Strict-Transport-Security", "max-age=31536000");
    await next();
  };
}
