import { matchedRoutes } from "hono/route";
import type { EdgeContext } from "./edge.ts";

/** Returns the path pattern of a request that was refused before it reached its row; undefined if no row matches. */
export function routePattern(context: EdgeContext): string | undefined {
  const matched = matchedRoutes(context).findLast(({ path }) => !path.includes("*"));
  return matched?.path.replaceAll(/:(\w+)(?:\{[^}]*\})?\??/g, "{$1}");
}
