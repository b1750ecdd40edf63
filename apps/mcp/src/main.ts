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
  const service = { database, clock: { now: () => new Date() }, appUrl: env.APP_URL };
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
