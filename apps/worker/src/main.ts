import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { connect } from "@kb/db";
import {
  clientIp,
  createLifecycle,
  createLogger,
  EnvironmentError,
  edgeApp,
  health,
  serve,
  stopOnSignals,
} from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { openFiles } from "@kb/storage";
import { workerEnvironment } from "./env.ts";
import { version } from "./version.ts";
import { startWorker } from "./worker.ts";

/** Works alone, beside the apps that serve and any number of its like. */
async function main(): Promise<void> {
  const env = workerEnvironment();
  const logger = createLogger({ app: "worker", level: env.LOG_LEVEL });
  const lifecycle = createLifecycle();
  const database = connect({ url: env.DATABASE_URL, applicationName: "kb-worker" });
  const app = edgeApp({ logger, clientIp: clientIp([]), appUrl: env.APP_URL });
  app.get("/api/health", health({ database, lifecycle, version }));
  const running =
    env.PORT === undefined
      ? undefined
      : await serve({ fetch: app.fetch, hostname: env.HOST, port: env.PORT, lifecycle });
  const clock = { now: () => new Date() };
  const worker = startWorker({
    service: {
      database,
      clock,
      appUrl: env.APP_URL,
      sealer: sealer(env.APP_SECRET, "webhooks"),
      files: openFiles(env, resolve(env.KB_DATA_DIR)),
    },
    outgoing: guardedFetch({ allowPrivateNetwork: env.WEBHOOK_ALLOW_PRIVATE_NETWORK }),
    logger,
    trashRetentionDays: env.TRASH_RETENTION_DAYS,
  });
  stopOnSignals(async () => {
    await Promise.all([worker.close(), running?.close()]);
    await database.close();
    logger.info("stopped");
  });
  logger.info(running === undefined ? {} : { port: running.port }, "ready");
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exit(1);
});
