import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { edgeApp, health, runProcess } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { openFiles } from "@kb/storage";
import { workerEnvironment } from "./env.ts";
import { version } from "./version.ts";
import { startWorker } from "./worker.ts";

// Works alone, beside the apps that serve and any number of its like.
runProcess({
  name: "worker",
  environment: workerEnvironment,
  version,
  open: ({ env, service, logger, lifecycle, clientIp }) => {
    const app = edgeApp({ logger, clientIp, appUrl: env.APP_URL, telemetry: service.telemetry });
    app.get("/api/health", health({ database: service.database, lifecycle, version }));
    const work = () =>
      startWorker({
        service: {
          ...service,
          sealer: sealer(env.APP_SECRET, "webhooks", env.APP_SECRET_PREVIOUS),
          files: openFiles(env, resolve(env.KB_DATA_DIR)),
        },
        outgoing: guardedFetch({ allowPrivateNetwork: env.WEBHOOK_ALLOW_PRIVATE_NETWORK }),
        logger,
        trashRetentionDays: env.TRASH_RETENTION_DAYS,
      });
    return { fetch: app.fetch, work };
  },
  ready: () => "ready",
});
