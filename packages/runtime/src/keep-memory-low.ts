import { performance } from "node:perf_hooks";
import { returnFreeMemory } from "@kb/telemetry";

/** Growth since the start from which a collection is worth its time. */
const growthBytes = 64 * 1024 ** 2;
const checkEveryMs = 5_000;
const collectEveryMs = 30_000;
/** Share of the time for which the event loop works, below which a pause of some 50 ms delays few requests. */
const idleShare = 0.5;
/** Processor time since the last collection from which there is garbage again. */
const workMs = 300;

/**
 * Returns memory to the system after bursts of work, at most every 30 s: V8 lets a heap grow to four times what is in use,
 * and keeps it for as long as little is allocated. Returns a function that ends this.
 */
export function keepMemoryLow(): () => void {
  let lowestBytes = process.memoryUsage.rss();
  let before = performance.eventLoopUtilization();
  let collected = { at: performance.now(), cpuMs: cpuMs() };
  const check = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const residentBytes = process.memoryUsage.rss();
    lowestBytes = Math.min(lowestBytes, residentBytes);
    const isDue = performance.now() - collected.at > collectEveryMs && cpuMs() - collected.cpuMs > workMs;
    if (!isDue || utilization > idleShare || residentBytes - lowestBytes < growthBytes) return;
    collected = { at: performance.now(), cpuMs: Number.POSITIVE_INFINITY };
    void returnFreeMemory().then(() => {
      collected = { ...collected, cpuMs: cpuMs() };
    });
  };
  const timer = setInterval(check, checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Processor time of the process so far, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
