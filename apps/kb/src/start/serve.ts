import { createApi } from "@kb/api";
import type { Database } from "@kb/db";
import {
  clientIp,
  connectRedis,
  createLifecycle,
  createLogger,
  processLimiter,
  type Running,
  redisLimiter,
  serve,
} from "@kb/http";
import { serviceOf } from "../access.ts";
import type { Settings } from "../env.ts";
import { portUnusable } from "./port.ts";

/** The whole service, listening on its one port. */
export type Serving = Pick<Running, "close"> & { readonly hasMcp: boolean };

/** Puts the apps together over one database and one limiter, and listens. */
export async function serveAll(settings: Settings, database: Database): Promise<Serving> {
  const { host, port, redisUrl, rateLimitPerMinute, trustedProxies } = settings;
  // Standard output is for the person who started it; logs go beside it.
  const level = settings.logLevel ?? (process.stderr.isTTY ? "warn" : "info");
  const logger = createLogger({ app: "kb", level, destination: process.stderr });
  const lifecycle = createLifecycle();
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl, logger);
  const inProcess = processLimiter();
  const app = createApi({
    service: serviceOf(database, settings),
    limiter: redis === undefined ? inProcess : redisLimiter({ redis, fallback: inProcess, logger }),
    logger,
    lifecycle,
    clientIp: clientIp(trustedProxies),
    perMinute: rateLimitPerMinute,
    redis,
  });
  const running = await serve({ fetch: app.fetch, hostname: host, port, lifecycle }).catch((error: unknown) => {
    throw portUnusable(error, host, port);
  });
  return {
    hasMcp: app.routes.some((route) => route.path === "/api/mcp"),
    close: async () => {
      await running.close();
      redis?.disconnect();
    },
  };
}
