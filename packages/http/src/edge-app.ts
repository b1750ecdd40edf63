import type { Telemetry } from "@kb/telemetry";
import { Hono } from "hono";
import type { Logger } from "pino";
import { accessLog } from "./access-log.ts";
import type { Edge } from "./edge.ts";
import { onError, onNotFound } from "./errors.ts";
import type { ClientIp } from "./rate-limit/client-ip.ts";
import { requestId } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";

/** A Hono app with what every answer of the service has: a request id, a line in the log, safe headers, our errors. */
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
