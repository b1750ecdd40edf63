import { sealer } from "@kb/auth";
import { testSecret } from "@kb/core/testing";
import { connect } from "@kb/db";
import type { ImportSettings } from "@kb/importer";
import { guardedFetch } from "@kb/outgoing";
import { createLogger } from "@kb/runtime";
import { openFiles } from "@kb/storage";
import { startWorker } from "../src/index.ts";

// A worker for a test that kills it: its imports can be claimed again after a second.
const settings = settingsOf(process.argv[2] ?? "");
startWorker({
  service: {
    database: connect({ url: settings.databaseUrl, applicationName: "kb-worker-test", poolMax: 4 }),
    clock: { now: () => new Date() },
    appUrl: settings.appUrl,
    files: openFiles(settings.storage, settings.dataDir),
    sealer: sealer(testSecret, "webhooks"),
  },
  outgoing: guardedFetch(),
  logger: createLogger({ app: "worker", level: "error" }),
  imports: settings,
  importLeaseMs: 1_500,
  trashRetentionDays: 30,
  pollMs: 20,
});

/** The test passes its settings as JSON. */
function settingsOf(text: string): ImportSettings {
  return JSON.parse(text);
}
