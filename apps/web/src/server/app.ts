import { notFound, type Service } from "@kb/core";
import { type BudgetOptions, browserSessions, type ClientIp, type Edge, edgeApp, health } from "@kb/http";
import type { Lifecycle, Logger } from "@kb/runtime";
import type { Hono } from "hono";
import { type Assets, openAssets, serveAssets } from "./assets.ts";
import { answerProblem } from "./pages/problem.ts";
import { serveIdentity } from "./serve-identity.ts";
import { servePages } from "./serve-pages.ts";
import { version } from "./version.ts";

/** Dependencies of the app. */
export type WebOptions = BudgetOptions & {
  readonly service: Service;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clientIp: ClientIp;
  readonly pagesPerMinute?: number | undefined;
  /** The built app. Default: that of this package. */
  readonly assets?: Assets;
};

/** Creates the app that serves the pages, the files of the built app, and a health check. */
export function createWeb(options: WebOptions): Hono<Edge> {
  const { service, logger, lifecycle, clientIp, limiter, budget, pagesPerMinute, assets = openAssets() } = options;
  const { appUrl, database } = service;
  const app = edgeApp({ logger, clientIp, appUrl, telemetry: service.telemetry });
  const manifest = assets.manifest;
  app.onError((thrown, context) => answerProblem(context, { service, manifest }, thrown));
  app.notFound((context) => answerProblem(context, { service, manifest }, notFound("Route")));
  app.get("/api/health", health({ database, lifecycle, version }));
  serveAssets(app, assets);
  serveIdentity(app);
  const limits = { limiter, budget, clientIp, pagesPerMinute };
  servePages(app, { service, sessions: browserSessions(service), ...limits, manifest });
  return app;
}
