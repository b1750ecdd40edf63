import { createApi } from "@kb/api";
import { sealer } from "@kb/auth";
import type { Database } from "@kb/db";
import { clientIp, createLifecycle, openLimits, type Running, serve } from "@kb/http";
import { createMcp, mcpPaths } from "@kb/mcp";
import { createOauth, oauthPaths } from "@kb/oauth";
import { guardedFetch } from "@kb/outgoing";
import { startWorker } from "@kb/worker";
import { serviceOf } from "../access.ts";
import type { Settings } from "../env.ts";
import { compose } from "./compose.ts";
import { portUnusable } from "./port.ts";
import type { Telling } from "./telling.ts";

/** The whole service, listening on its one port. */
export type Serving = Pick<Running, "close">;

/** Puts the apps together over one database and one limiter, and listens. `secret` is that of the installation. */
export async function serveAll(
  settings: Settings,
  secret: string,
  database: Database,
  { logger, telemetry }: Telling,
): Promise<Serving> {
  const { host, port, redisUrl, rateLimitPerMinute, singleSignOn } = settings;
  const lifecycle = createLifecycle();
  const limits = openLimits(redisUrl, logger, telemetry);
  const authorization = settings.authorization(secret);
  const service = {
    ...serviceOf(database, settings),
    sealer: sealer(secret, "webhooks", settings.appSecretPrevious),
    telemetry,
  };
  const edge = { service, logger, clientIp: clientIp(settings.trustedProxies) };
  const oauthKeys = authorization?.keys;
  const guarded = { ...edge, ...limits, lifecycle, perMinute: rateLimitPerMinute, oauthKeys };
  const api = createApi(guarded);
  const mcp = createMcp({
    ...guarded,
    outgoing: guardedFetch(),
  });
  const oauth = createOauth({ ...edge, secret, lifecycle, limiter: limits.limiter, singleSignOn, authorization });
  const parts = [
    { paths: oauthPaths, answer: oauth.fetch },
    { paths: mcpPaths, answer: mcp.app.fetch },
  ];
  const fetch = compose(parts, api.fetch);
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
    close: async () => {
      await Promise.all([running.close(), worker.close()]);
      mcp.close();
      limits.redis?.disconnect();
    },
  };
}
