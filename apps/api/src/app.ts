import type { OauthKeys } from "@kb/auth";
import type { Service } from "@kb/core";
import {
  apiKeysAndTokens,
  browserSessions,
  type ClientIp,
  type Credentials,
  channelTokens,
  type Edge,
  edgeApp,
  expectedApiKeys,
  guardApi,
  health,
  limitPages,
  methodNotAllowed,
  openStreaming,
  type RequestLimits,
  type Streaming,
  serveRows,
} from "@kb/http";
import type { HealthOptions, Lifecycle, Limiter, Logger } from "@kb/runtime";
import type { Hono } from "hono";
import { serveFiles } from "./files/serve-files.ts";
import { serveUploads } from "./files/serve-uploads.ts";
import { servePages } from "./pages/index.ts";
import { published } from "./published-routes.ts";
import { routes } from "./routes.ts";
import { version } from "./version.ts";

/** Options of the API. The caller creates them, so that `kb start` and the tests share one database and limiter. */
export type ApiOptions = RequestLimits & {
  readonly service: Service;
  readonly limiter: Limiter;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clientIp: ClientIp;
  /** Used by the health check; absent where the service runs without Redis. */
  readonly redis?: HealthOptions["redis"];
  /** The change feed and open streams of the process. Default: its own, which needs no closing beside the database's. */
  readonly streaming?: Streaming | undefined;
  /** The keys that verify the tokens of apps; absent where no app may connect. */
  readonly oauthKeys?: OauthKeys | undefined;
};

/** The paths of this app: on a port shared with other apps, these and everything below them are routed here, but `/api/mcp`. */
export const apiPaths = ["/api", "/docs", "/files", "/openapi.json"] as const;

/** Creates the app that serves REST, the health check, attachments, the OpenAPI description and the pages. */
export function createApi(options: ApiOptions): Hono<Edge> {
  const { logger, lifecycle, clientIp, redis, oauthKeys, limiter } = options;
  const { changes, live, streams } = options.streaming ?? openStreaming(options.service, { lifecycle, logger });
  const service = { ...options.service, changes, live };
  const { appUrl, database } = service;
  const rows = routes(appUrl);
  const app = edgeApp({ logger, clientIp, appUrl, telemetry: service.telemetry });
  serveUploads(app, service, options);
  app.get("/api/health", health({ database, files: service.files, redis, lifecycle, version }));
  const readingPosts = new Set(
    rows.filter((row) => row.method === "post" && !row.needsCsrfToken).map(({ path }) => path),
  );
  const confirmingRows = new Set(
    rows.filter((row) => row.confirmsInTransaction).map(({ method, path }) => `${method.toUpperCase()} ${path}`),
  );
  // An app's token is only valid at the MCP endpoint. Here it is identified to answer 403 instead of 401.
  const sessionOnlyPaths = new Set(rows.filter((row) => row.sessionOnly).map(({ path }) => path));
  const { authenticate: byKey, expect } = expectedApiKeys(service);
  const byKeyOrToken = apiKeysAndTokens(service, oauthKeys);
  const credentials: Credentials = {
    expect,
    authenticate: (token, context) => (sessionOnlyPaths.has(context.req.path) ? byKeyOrToken : byKey)(token, context),
    sessions: browserSessions(service),
    tokenAreas: [channelTokens(service, `${published}/`)],
    readingPosts,
    confirmingRows,
  };
  guardApi(app, { ...options, ...credentials });
  app.all("/api/health", (context) => {
    context.header("Allow", "GET, HEAD");
    throw methodNotAllowed("GET, HEAD");
  });
  serveRows(app, service, rows, { streams, limiter });
  serveFiles(app, service);
  servePages(app, { appUrl, rows, limitPages: limitPages(options) });
  return app;
}
