import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Telemetry } from "../telemetry.ts";

const resolutionMs = 20;
const nanoseconds = 1e9;

/** Reports the delay and utilization of the event loop and the memory of the process; returns a stop function. */
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
      // The monitor returns the time between two samples; the delay is what exceeds the interval.
      const secondsLate = (value: number): number => Math.max(0, value / nanoseconds - resolutionMs / 1000);
      const p50 = secondsLate(delay.percentile(50));
      const p99 = secondsLate(delay.percentile(99));
      const max = secondsLate(delay.max);
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
