import { type HealthOptions, reportHealth } from "@kb/runtime";
import type { EdgeContext } from "./edge.ts";

/** The path that orchestrators probe. */
export const healthPath = "/api/health";

/** Answers `GET /api/health`; see `HealthCheck` for its three forms. */
export function health(options: HealthOptions) {
  return async (context: EdgeContext): Promise<Response> => {
    context.set("route", healthPath);
    const { status, headers, body } = await reportHealth(options, new URL(context.req.url).searchParams);
    return context.json(body, status, { ...headers });
  };
}
