import { createServer } from "node:net";
import type { OauthKeys } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Database } from "@kb/db";
import { clientIp, connectRedis, createLifecycle, createLogger, type Lifecycle, processLimiter, serve } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { createMcp, type Offer } from "../src/index.ts";

/** One instance of the endpoint, listening. */
export type Instance = {
  readonly url: URL;
  readonly lifecycle: Lifecycle;
  /** Ends its streams and waits until it has stopped. */
  close(): Promise<void>;
};

export type InstanceOptions = {
  readonly database: Database;
  /** The public origin; the instance's own where it is not given. */
  readonly appUrl?: string;
  readonly port?: number;
  readonly redisUrl?: string;
  readonly perMinute?: number;
  readonly clock?: Service["clock"];
  readonly oauthKeys?: OauthKeys;
  readonly offer?: Offer;
  /** Where the bytes of attachments are. */
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
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl, logger);
  const mcp = createMcp({
    service,
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
      mcp.close();
      redis?.disconnect();
    },
  };
}

/** A port that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
