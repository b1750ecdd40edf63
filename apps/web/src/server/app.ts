import { notFound, type Service } from "@kb/core";
import { browserSessions, type ClientIp, type Edge, edgeApp, health } from "@kb/http";
import type { Lifecycle, Limiter, Logger } from "@kb/runtime";
import type { Hono } from "hono";
import { type Assets, openAssets, serveAssets } from "./assets.ts";
import { answerProblem } from "./pages/problem.ts";
import { serveIdentity } from "./serve-identity.ts";
import { servePages } from "./serve-pages.ts";
import { version } from "./version.ts";

/** Dependencies of the app. */
export type WebOptions = {
  readonly service: Service;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clientIp: ClientIp;
  /** Counts the pages. */
  readonly limiter: Limiter;
  readonly pagesPerMinute?: number | undefined;
  /** The built app. Default: that of this package. */
  readonly assets?: Assets;
};

/** Creates the app that serves the pages, the files of the built app, and a health check. */
export function createWeb(options: WebOptions): Hono<Edge> {
  const { service, logger, lifecycle, clientIp, limiter, pagesPerMinute, assets = openAssets() } = options;
  const { appUrl, database } = service;
  const app = edgeApp({ logger, clientIp, appUrl, telemetry: service.telemetry });
  const manifest = assets.manifest;
  app.onError((thrown, context) => answerProblem(context, { service, manifest }, thrown));
  app.notFound((context) => answerProblem(context, { service, manifest }, notFound("Route")));
  app.get("/api/health", health({ database, lifecycle, version }));
  serveAssets(app, assets);
  serveIdentity(app);
  servePages(app, { service, sessions: browserSessions(service), limiter, clientIp, pagesPerMinute, manifest });
  return app;
}
