import { resolve } from "node:path";
import { connect } from "@kb/db";
import {
  apiKeys,
  clientIp,
  connectRedis,
  createLifecycle,
  createLogger,
  EnvironmentError,
  processLimiter,
  redisLimiter,
  serve,
  stopOnSignals,
} from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { openFiles } from "@kb/storage";
import { createMcp } from "./app.ts";
import { mcpEnvironment } from "./env.ts";

/** Serves the MCP endpoint alone, beside the other apps and behind one proxy. */
async function main(): Promise<void> {
  const env = mcpEnvironment();
  const logger = createLogger({ app: "mcp", level: env.LOG_LEVEL });
  const lifecycle = createLifecycle();
  const database = connect({ url: env.DATABASE_URL, applicationName: "kb-mcp" });
  const redis = env.REDIS_URL === undefined ? undefined : connectRedis(env.REDIS_URL, logger);
  const inProcess = processLimiter();
  const service = {
    database,
    clock: { now: () => new Date() },
    appUrl: env.APP_URL,
    files: openFiles(env, resolve(env.KB_DATA_DIR)),
  };
  const mcp = createMcp({
    service,
    limiter: redis === undefined ? inProcess : redisLimiter({ redis, fallback: inProcess, logger }),
    logger,
    lifecycle,
    clientIp: clientIp(env.TRUSTED_PROXIES),
    perMinute: env.RATE_LIMIT_PER_MINUTE,
    redis,
    authenticate: apiKeys(service),
    oauthEnabled: false,
    outgoing: guardedFetch(),
  });
  const running = await serve({ fetch: mcp.app.fetch, hostname: env.HOST, port: env.PORT, lifecycle });
  stopOnSignals(async () => {
    await running.close();
    mcp.close();
    redis?.disconnect();
    await database.close();
    logger.info("stopped");
  });
  logger.info({ port: running.port }, `ready ${env.APP_URL}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exit(1);
});
