import { monitorEventLoopDelay } from "node:perf_hooks";
import { createApi } from "@kb/api";
import { connect } from "@kb/db";
import { clientIp, serve } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";

// The API in a process of its own that reports to its parent: the peak memory since its start, and the longest lag of the
// event loop since the last reset.

const [databaseUrl = ""] = process.argv.slice(2);
const lifecycle = createLifecycle();
const database = connect({ url: databaseUrl, applicationName: "kb-export-server" });
const app = createApi({
  service: { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" },
  limiter: processLimiter(),
  perMinute: 1_000_000,
  logger: createLogger({ app: "api", level: "silent" }),
  lifecycle,
  clientIp: clientIp([]),
});
const running = await serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0, lifecycle });

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let peakBytes = 0;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 20);

process.on("message", async (word) => {
  if (word === "reset") delay.reset();
  if (word === "report") process.send?.({ lagMs: delay.max / 1e6, peakBytes });
  if (word !== "stop") return;
  clearInterval(sampling);
  await running.close();
  await database.close();
  process.disconnect();
});
process.send?.({ port: running.port });
