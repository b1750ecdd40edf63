import { matchedRoutes } from "hono/route";
import type { EdgeContext } from "./edge.ts";

/** The pattern of the path that a request was refused at before its row was reached; undefined where no row has it. */
export function routePattern(context: EdgeContext): string | undefined {
  const matched = matchedRoutes(context).findLast(({ path }) => !path.includes("*"));
  return matched?.path.replaceAll(/:(\w+)(?:\{[^}]*\})?\??/g, "{$1}");
}
