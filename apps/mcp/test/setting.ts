import type { OauthKeys } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Database } from "@kb/db";
import { freePort } from "@kb/db/testing";
import { clientIp, openStreaming, serve } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { connectRedis, createLifecycle, createLogger, type Lifecycle, processLimiter } from "@kb/runtime";
import { createMcp, type Offer } from "../src/index.ts";

/** One instance of the endpoint, listening. */
export type Instance = {
  readonly url: URL;
  readonly lifecycle: Lifecycle;
  /** Ends its streams, and waits until it has stopped. */
  close(): Promise<void>;
};

export type InstanceOptions = {
  readonly database: Database;
  /** The public origin. Default: the instance's own. */
  readonly appUrl?: string;
  readonly port?: number;
  readonly redisUrl?: string;
  readonly perMinute?: number;
  readonly clock?: Service["clock"];
  readonly oauthKeys?: OauthKeys;
  readonly offer?: Offer;
  /** The storage of attachments. */
  readonly files?: Service["files"];
};

/** Serves the endpoint in this process, wired as `main.ts` does it. The rate is unlimited unless `perMinute` says so. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { database, perMinute = 1_000_000, oauthKeys, offer, redisUrl } = options;
  const port = options.port ?? (await freePort());
  const appUrl = options.appUrl ?? `http://localhost:${port}`;
  const service = { database, clock: options.clock ?? { now: () => new Date() }, appUrl, files: options.files };
  const logger = createLogger({ app: "mcp", level: process.env.TEST_LOG_LEVEL ?? "silent" });
  const lifecycle = createLifecycle();
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, logger);
  const streaming = openStreaming(service, { lifecycle, logger });
  const mcp = createMcp({
    service,
    streaming,
    logger,
    lifecycle,
    limiter: processLimiter(),
    perMinute,
    clientIp: clientIp([]),
    redis,
    oauthKeys,
    outgoing: guardedFetch(),
    ...(offer === undefined ? {} : { offer }),
  });
  const running = await serve({ fetch: mcp.app.fetch, hostname: "127.0.0.1", port, lifecycle, drainMs: 5_000 });
  return {
    url: new URL(`http://localhost:${port}/api/mcp`),
    lifecycle,
    close: async () => {
      await running.close();
      streaming.close();
      mcp.close();
      redis?.disconnect();
    },
  };
}
