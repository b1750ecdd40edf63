import { performance } from "node:perf_hooks";
import { returnFreeMemory } from "@kb/telemetry";
import { MemoryKeeper, type ProcessReading } from "./memory-keeper.ts";

const checkEveryMs = 5_000;

/**
 * Returns memory to the system after the start and after bursts of work, at most every 30 s: V8 lets a heap grow to four times what is in use,
 * and keeps it for as long as little is allocated. Returns a function that ends this.
 */
export function keepMemoryLow(): () => void {
  const keeper = new MemoryKeeper(processReader(), returnFreeMemory);
  const timer = setInterval(() => void keeper.check(), checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

function processReader(): () => ProcessReading {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      at: performance.now(),
      cpuMs: (user + system) / 1_000,
      residentBytes: rss,
      heapBytes: heapUsed,
      utilization,
    };
  };
}
