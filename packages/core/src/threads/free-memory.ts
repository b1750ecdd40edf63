import { getHeapStatistics } from "node:v8";
import { collectGarbage } from "@kb/telemetry";

/** Heap that a thread keeps between two tasks, in bytes. */
const keptBytes = 64 * 1024 ** 2;

/**
 * Collects the garbage of this thread once its answer is sent, if its heap has become large. V8 would keep the heap of the
 * largest task until the next one.
 */
export function freeMemoryAfterAnswer(): void {
  setImmediate(() => {
    if (getHeapStatistics().total_heap_size > keptBytes) collectGarbage();
  });
}
