import { ServiceError } from "@kb/core";
import type { EdgeMiddleware } from "@kb/http";

/** A page of another site has no business here: a browser names it, and a name that was rebound to us is no help to it. */
export function ownOrigin(appUrl: string): EdgeMiddleware {
  return async (context, next) => {
    const origin = context.req.header("Origin");
    if (origin !== undefined && origin !== appUrl) {
      throw new ServiceError("forbidden", `Requests from pages of ${appUrl} alone are taken.`);
    }
    await next();
  };
}
