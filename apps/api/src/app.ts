import type { OauthKeys } from "@kb/auth";
import type { Service } from "@kb/core";
import {
  apiKeys,
  apiKeysAndTokens,
  browserSessions,
  type ClientIp,
  type Credentials,
  channelTokens,
  type Edge,
  edgeApp,
  guardApi,
  type HealthOptions,
  health,
  type Lifecycle,
  type Limiter,
  type Logger,
  methodNotAllowed,
  serveRows,
} from "@kb/http";
import type { Hono } from "hono";
import { serveFiles } from "./files/download.ts";
import { takeUploads } from "./files/upload.ts";
import { servePages } from "./pages/index.ts";
import { published } from "./published-routes.ts";
import { routes } from "./routes.ts";
import { version } from "./version.ts";

/** What the API stands on; made by whoever starts it, so that `kb start` and the tests share one database and limiter. */
export type ApiOptions = {
  readonly service: Service;
  readonly limiter: Limiter;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clientIp: ClientIp;
  /** Requests a minute for each user, and for each client that shows no credential. */
  readonly perMinute: number;
  /** For the health check; absent where the service runs without Redis. */
  readonly redis?: HealthOptions["redis"];
  /** By what the tokens of apps are known; absent where no app may connect. */
  readonly oauthKeys?: OauthKeys | undefined;
};

/** REST below `/api/v1`, the health check, the bytes of attachments, the description and its page, and the landing page. */
export function createApi(options: ApiOptions): Hono<Edge> {
  const { service, limiter, logger, lifecycle, clientIp, perMinute, redis, oauthKeys } = options;
  const { appUrl, database } = service;
  const rows = routes(appUrl);
  const app = edgeApp({ logger, clientIp, appUrl, telemetry: service.telemetry });
  takeUploads(app, service, { limiter, perMinute, clientIp });
  app.get("/api/health", health({ database, redis, lifecycle, version }));
  const readingPosts = new Set(
    rows.filter((row) => row.method === "post" && !row.needsCsrfToken).map(({ path }) => path),
  );
  // A token of an app is for the MCP endpoint: it is known here only to be told that people alone are let in.
  const forPeople = new Set(rows.filter((row) => row.sessionOnly).map(({ path }) => path));
  const [byKey, byKeyOrToken] = [apiKeys(service), apiKeysAndTokens(service, oauthKeys)];
  const credentials: Credentials = {
    authenticate: (token, context) => (forPeople.has(context.req.path) ? byKeyOrToken : byKey)(token, context),
    sessions: browserSessions(service),
    channels: channelTokens(service, `${published}/`),
    readingPosts,
  };
  guardApi(app, { ...credentials, limiter, perMinute, clientIp });
  app.all("/api/health", (context) => {
    context.header("Allow", "GET, HEAD");
    throw methodNotAllowed("GET, HEAD");
  });
  serveRows(app, service, rows);
  serveFiles(app, service);
  servePages(app, { appUrl, rows });
  return app;
}
