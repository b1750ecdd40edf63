import type { EdgeContext, EdgeMiddleware, Sessions } from "@kb/http";

/**
 * Finds the reader of a path of the app.
 * @param route the path pattern, for the log
 * @param refuse answers those who are not logged in
 */
export function requireSession(
  route: string,
  sessions: Sessions,
  refuse: (context: EdgeContext) => Response,
): EdgeMiddleware {
  return async (context, next) => {
    context.set("route", route);
    const session = await sessions.find(context);
    if (session === null) return refuse(context);
    context.set("caller", session.actor);
    return next();
  };
}
