import type { EdgeMiddleware } from "./edge.ts";

/** The policy of answers that are not pages: no scripts, no framing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The policy of our own pages: our style sheet, no scripts, no framing. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sets the security headers of every answer. A page replaces the policy with its own. `https` adds HSTS. */
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
