import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Telemetry } from "../telemetry.ts";

const resolutionMs = 20;
const nanoseconds = 1e9;

/** Measures the process itself: how late its event loop is, how busy, and how much memory it takes. Gives the end of it. */
export function observeProcess(telemetry: Telemetry): () => void {
  if (!telemetry.metrics) return () => {};
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let before = performance.eventLoopUtilization();
  const stop = telemetry.observe(
    [
      "nodejs.eventloop.delay.p50",
      "nodejs.eventloop.delay.p99",
      "nodejs.eventloop.delay.max",
      "nodejs.eventloop.utilization",
      "process.memory.usage",
    ],
    () => {
      const now = performance.eventLoopUtilization();
      const busy = performance.eventLoopUtilization(now, before).utilization;
      before = now;
      // What it gives is the time between two looks: what is beyond the interval is the delay.
      const late = (value: number): number => Math.max(0, value / nanoseconds - resolutionMs / 1000);
      const [p50, p99, max] = [late(delay.percentile(50)), late(delay.percentile(99)), late(delay.max)];
      delay.reset();
      return [
        { name: "nodejs.eventloop.delay.p50", value: p50 },
        { name: "nodejs.eventloop.delay.p99", value: p99 },
        { name: "nodejs.eventloop.delay.max", value: max },
        { name: "nodejs.eventloop.utilization", value: busy },
        { name: "process.memory.usage", value: process.memoryUsage.rss() },
      ];
    },
  );
  return () => {
    stop();
    delay.disable();
  };
}
