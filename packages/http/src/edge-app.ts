import type { Logger } from "@kb/runtime";
import type { Telemetry } from "@kb/telemetry";
import { Hono } from "hono";
import { accessLog } from "./access-log.ts";
import type { ClientIp } from "./client-ip.ts";
import type { Edge } from "./edge.ts";
import { onError, onNotFound } from "./error-handlers.ts";
import { requestId } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";

/** Creates a Hono app in which every answer has a request id, a line in the log, safe headers and the error format. */
export function edgeApp(options: {
  logger: Logger;
  clientIp: ClientIp;
  appUrl: string;
  telemetry?: Telemetry | undefined;
}): Hono<Edge> {
  const { appUrl } = options;
  const app = new Hono<Edge>();
  app.onError(onError);
  app.notFound(onNotFound);
  app.use(requestId, accessLog(options), securityHeaders({ https: appUrl.startsWith("https:") }));
  return app;
}
