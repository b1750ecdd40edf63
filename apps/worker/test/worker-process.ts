import { sealer } from "@kb/auth";
import { connect } from "@kb/db";
import { guardedFetch } from "@kb/outgoing";
import { createLogger } from "@kb/runtime";
import { startWorker } from "../src/index.ts";

// A worker for tests that kill it: its deliveries and mails can be claimed again after a second.
const [, , url = "", secret = "", mailUrl] = process.argv;
const mail =
  mailUrl === undefined
    ? undefined
    : { settings: { url: mailUrl, from: "wiki@example.com" }, service: { sealer: sealer(secret, "mails") } };
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
  mail,
  mailLeaseMs: 1_000,
  pollMs: 50,
  timeoutMs: 800,
  leaseMs: 1_000,
});
