import { sealer } from "@kb/auth";
import { connect } from "@kb/db";
import { guardedFetch } from "@kb/outgoing";
import { createLogger } from "@kb/runtime";
import { startWorker } from "../src/index.ts";

// A worker for tests that kill it: its deliveries can be claimed again after a second.
const [, , url = "", secret = ""] = process.argv;
startWorker({
  service: {
    database: connect({ url, applicationName: "kb-worker-test", poolMax: 4 }),
    clock: { now: () => new Date() },
    appUrl: "http://localhost:3000",
    sealer: sealer(secret, "webhooks"),
  },
  outgoing: guardedFetch({ allowPrivateNetwork: true }),
  logger: createLogger({ app: "worker", level: "error" }),
  trashRetentionDays: 30,
  pollMs: 50,
  timeoutMs: 800,
  leaseMs: 1_000,
});
