import { Hono } from "hono";
import type { Logger } from "pino";
import type { Edge } from "./edge.ts";
import { onError, onNotFound } from "./errors.ts";
import { accessLog } from "./log.ts";
import type { ClientIp } from "./rate-limit/client-ip.ts";
import { requestId } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";

/** A Hono app with what every answer of the service has: a request id, a line in the log, safe headers, our errors. */
export function edgeApp(options: { logger: Logger; clientIp: ClientIp; appUrl: string }): Hono<Edge> {
  const { logger, clientIp, appUrl } = options;
  const app = new Hono<Edge>();
  app.onError(onError);
  app.notFound(onNotFound);
  app.use(requestId, accessLog(logger, clientIp), securityHeaders({ https: appUrl.startsWith("https:") }));
  return app;
}
