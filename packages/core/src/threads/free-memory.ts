import { getHeapStatistics } from "node:v8";
import { collectGarbage } from "@kb/telemetry/collect-garbage";

/** Heap that a thread keeps between two tasks, in bytes. */
const keptBytes = 64 * 1024 ** 2;

/**
 * Collects the garbage of this thread once its answer is sent, if its heap has become large, and returns it to the system. V8
 * would keep the memory of the largest task of each thread for as long as tasks follow.
 */
export function freeMemoryAfterAnswer(): void {
  setImmediate(() => {
    if (getHeapStatistics().total_heap_size > keptBytes) collectGarbage();
  });
}
