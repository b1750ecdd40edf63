import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { connect } from "@kb/db";
import {
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
import { openFiles } from "@kb/storage";
import { createApi } from "./app.ts";
import { apiEnvironment } from "./env.ts";

/** Serves the API alone, beside the other apps and behind one proxy. */
async function main(): Promise<void> {
  const env = apiEnvironment();
  const logger = createLogger({ app: "api", level: env.LOG_LEVEL });
  const lifecycle = createLifecycle();
  const database = connect({ url: env.DATABASE_URL, applicationName: "kb-api" });
  const redis = env.REDIS_URL === undefined ? undefined : connectRedis(env.REDIS_URL, logger);
  const inProcess = processLimiter();
  const app = createApi({
    service: {
      database,
      clock: { now: () => new Date() },
      appUrl: env.APP_URL,
      sealer: sealer(env.APP_SECRET, "webhooks"),
      files: openFiles(env, resolve(env.KB_DATA_DIR)),
    },
    limiter: redis === undefined ? inProcess : redisLimiter({ redis, fallback: inProcess, logger }),
    logger,
    lifecycle,
    clientIp: clientIp(env.TRUSTED_PROXIES),
    perMinute: env.RATE_LIMIT_PER_MINUTE,
    redis,
  });
  const running = await serve({ fetch: app.fetch, hostname: env.HOST, port: env.PORT, lifecycle });
  stopOnSignals(async () => {
    await running.close();
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
