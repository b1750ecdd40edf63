import { createApi } from "@kb/api";
import { sealer } from "@kb/auth";
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
import { createOauth, oauthPaths } from "@kb/oauth";
import { guardedFetch } from "@kb/outgoing";
import { startWorker } from "@kb/worker";
import { serviceOf } from "../access.ts";
import type { Settings } from "../env.ts";
import { compose } from "./compose.ts";
import { portUnusable } from "./port.ts";

/** The whole service, listening on its one port. */
export type Serving = Pick<Running, "close"> & { readonly hasMcp: boolean };

/** Puts the apps together over one database and one limiter, and listens. `secret` is that of the installation. */
export async function serveAll(settings: Settings, secret: string, database: Database): Promise<Serving> {
  const { host, port, redisUrl, rateLimitPerMinute, singleSignOn } = settings;
  // Standard output is for the person who started it; logs go beside it.
  const level = settings.logLevel ?? (process.stderr.isTTY ? "warn" : "info");
  const logger = createLogger({ app: "kb", level, destination: process.stderr });
  const lifecycle = createLifecycle();
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl, logger);
  const inProcess = processLimiter();
  const service = { ...serviceOf(database, settings), sealer: sealer(secret, "webhooks") };
  const edge = { service, logger, clientIp: clientIp(settings.trustedProxies) };
  const api = createApi({
    ...edge,
    limiter: redis === undefined ? inProcess : redisLimiter({ redis, fallback: inProcess, logger }),
    lifecycle,
    perMinute: rateLimitPerMinute,
    redis,
  });
  const oauth = createOauth({ ...edge, secret, lifecycle, singleSignOn });
  const fetch = compose([{ paths: oauthPaths, answer: oauth.fetch }], api.fetch);
  const running = await serve({ fetch, hostname: host, port, lifecycle }).catch((error: unknown) => {
    throw portUnusable(error, host, port);
  });
  const worker = startWorker({
    service,
    outgoing: guardedFetch({ allowPrivateNetwork: settings.webhookAllowPrivateNetwork }),
    logger,
    trashRetentionDays: settings.trashRetentionDays,
  });
  return {
    hasMcp: api.routes.some((route) => route.path === "/api/mcp"),
    close: async () => {
      await Promise.all([running.close(), worker.close()]);
      redis?.disconnect();
    },
  };
}
