import { ServiceError } from "@kb/core";
import type { EdgeMiddleware } from "@kb/http";

/** Rejects requests from pages of other origins. The check of `Origin` also prevents DNS rebinding. */
export function ownOrigin(appUrl: string): EdgeMiddleware {
  return async (context, next) => {
    const origin = context.req.header("Origin");
    if (origin !== undefined && origin !== appUrl) {
      throw new ServiceError("forbidden", `Only pages of ${appUrl} may send requests.`);
    }
    await next();
  };
}
