import { createApi } from "@kb/api";
import { connect } from "@kb/db";
import { clientIp, serve } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { threadMs } from "@kb/testing/growth";

// The API in a process of its own that reports to its parent: the peak memory since its start, and the most processor time that the main
// thread took between two ticks of a timer of 5 ms since the last reset. One long turn of the event loop, during which no other request is
// served, is in it whole; so are several short ones that ran before the timer.

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

let longestTurnMs = 0;
let usedMs = threadMs();
const watching = setInterval(() => {
  const now = threadMs();
  longestTurnMs = Math.max(longestTurnMs, now - usedMs);
  usedMs = now;
}, 5);
let peakBytes = 0;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 20);

process.on("message", async (word) => {
  if (word === "reset") longestTurnMs = 0;
  if (word === "report") process.send?.({ longestTurnMs, peakBytes });
  if (word !== "stop") return;
  clearInterval(watching);
  clearInterval(sampling);
  await running.close();
  await database.close();
  process.disconnect();
});
process.send?.({ port: running.port });
