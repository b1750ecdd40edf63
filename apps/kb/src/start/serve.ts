import { apiPaths, createApi } from "@kb/api";
import { loadWebAuthn, sealer } from "@kb/auth";
import { mailServiceOf } from "@kb/core";
import type { Database } from "@kb/db";
import { clientIp, openStreaming, serve } from "@kb/http";
import { createMcp, mcpPaths } from "@kb/mcp";
import { createOauth, oauthPaths } from "@kb/oauth";
import { guardedFetch } from "@kb/outgoing";
import { createLifecycle, keepMemoryLow, logFilesState, openLimiter, type RunningServer } from "@kb/runtime";
import { createWeb } from "@kb/web";
import { mailOf, startWorker } from "@kb/worker";
import { serviceOf } from "../access.ts";
import type { Settings } from "../env.ts";
import { compose } from "./compose.ts";
import type { Observability } from "./observability.ts";
import { portUnusable } from "./port.ts";

/** The running service. */
export type Serving = Pick<RunningServer, "close">;

/** Starts all apps on one database, one limiter and one port. `secret` is the secret of the installation. */
export async function serveAll(
  settings: Settings,
  secret: string,
  { database, databaseUrl }: { readonly database: Database; readonly databaseUrl: string },
  { logger, telemetry }: Observability,
): Promise<Serving> {
  const { host, port, redisUrl, requestLimits, singleSignOn } = settings;
  const lifecycle = createLifecycle();
  await loadWebAuthn();
  const limits = await openLimiter(redisUrl, logger, telemetry);
  const authorization = settings.authorization(secret);
  const mail = mailServiceOf({
    SMTP_URL: settings.mail.SMTP_URL,
    APP_SECRET: secret,
    APP_SECRET_PREVIOUS: settings.appSecretPrevious,
  });
  const outgoing = guardedFetch();
  const service = {
    ...serviceOf(database, settings, logFilesState(logger)),
    mail,
    outgoing,
    passwordLogIn: settings.passwordLogIn,
    sealer: sealer(secret, "webhooks", settings.appSecretPrevious),
    telemetry,
  };
  const edge = { service, logger, clientIp: clientIp(settings.trustedProxies) };
  const oauthKeys = authorization?.keys;
  const guarded = { ...edge, ...limits, ...requestLimits, lifecycle, oauthKeys };
  const streaming = openStreaming(service, { lifecycle, logger });
  const api = createApi({ ...guarded, streaming });
  const mcp = createMcp({ ...guarded, streaming, outgoing });
  const { pagesPerMinute } = requestLimits;
  const { limiter } = limits;
  const oauth = createOauth({ ...edge, secret, lifecycle, limiter, pagesPerMinute, singleSignOn, authorization });
  const web = createWeb({ ...edge, ...requestLimits, lifecycle, limiter });
  const parts = [
    { paths: oauthPaths, answer: oauth.fetch },
    { paths: mcpPaths, answer: mcp.app.fetch },
    { paths: apiPaths, answer: api.fetch },
  ];
  // A person who follows a wrong link reads a page; programs get the same error as JSON.
  const fetch = compose(parts, web.fetch);
  const running = await serve({ fetch, hostname: host, port, lifecycle }).catch((error: unknown) => {
    throw portUnusable(error, host, port);
  });
  const worker = startWorker({
    service,
    outgoing: guardedFetch({ allowPrivateNetwork: settings.webhookAllowPrivateNetwork }),
    mail: mailOf(settings.mail, mail),
    imports: { ...settings, databaseUrl },
    logger,
    trashRetentionDays: settings.trashRetentionDays,
  });
  const stopKeeping = keepMemoryLow();
  return {
    close: async () => {
      stopKeeping();
      const lastRequest = running.close();
      await Promise.all([lastRequest, worker.close(lastRequest)]);
      streaming.close();
      mcp.close();
      limits.redis?.disconnect();
    },
  };
}
