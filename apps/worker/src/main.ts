import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { mailServiceOf, quotasOf } from "@kb/core";
import { guardedFetch } from "@kb/outgoing";
import { healthListener, logFilesState, runProcess } from "@kb/runtime";
import { openFiles } from "@kb/storage";
import { workerEnvironment } from "./env.ts";
import { mailOf } from "./mail/mail-of.ts";
import { startWorker } from "./start-worker.ts";
import { version } from "./version.ts";

// Runs a worker as a separate process, next to the other apps and any number of other workers.
runProcess({
  name: "worker",
  environment: workerEnvironment,
  version,
  open: ({ env, service, logger, lifecycle }) => {
    const files = openFiles(env, resolve(env.KB_DATA_DIR), logFilesState(logger));
    const work = () =>
      startWorker({
        service: {
          ...service,
          sealer: sealer(env.APP_SECRET, "webhooks", env.APP_SECRET_PREVIOUS),
          files,
          quotas: quotasOf(env),
        },
        outgoing: guardedFetch({ allowPrivateNetwork: env.WEBHOOK_ALLOW_PRIVATE_NETWORK }),
        mail: mailOf(env, mailServiceOf(env)),
        imports: {
          databaseUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
          appUrl: env.APP_URL,
          storage: env,
          dataDir: resolve(env.KB_DATA_DIR),
          quotas: quotasOf(env),
        },
        logger,
        trashRetentionDays: env.TRASH_RETENTION_DAYS,
      });
    return { listener: healthListener({ database: service.database, files, lifecycle, version }), work };
  },
  ready: () => "ready",
});
