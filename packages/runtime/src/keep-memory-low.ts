import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { returnFreeMemory } from "@kb/telemetry";
import { MemoryKeeper, type ProcessReading } from "./memory-keeper.ts";

const checkEveryMs = 5_000;
/** The part of what is in use by which a large heap grows before it is collected. V8 would let it grow to four times. */
const growingPercent = 100;
/** The limit of a heap, in bytes, from which V8 lets it grow so far. A smaller one grows to at most twice, by V8's own rule. */
const largeHeap = 2 * 1024 ** 3;

/**
 * Lets a large heap grow only to twice what is in use, and returns memory to the system after the start and after bursts of work, at most
 * every 30 s: V8 keeps a heap for as long as little is allocated. Returns a function that ends the latter.
 */
export function keepMemoryLow(): () => void {
  if (getHeapStatistics().heap_size_limit >= largeHeap) {
    setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
  }
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
