import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Heap that a thread keeps between two tasks, in bytes. */
const keptBytes = 64 * 1024 ** 2;

let collectGarbage: (() => void) | undefined;

/**
 * Collects the garbage of this thread once its answer is sent, if its heap has become large. V8 would keep the heap of the
 * largest task until the next one.
 */
export function freeMemoryAfterAnswer(): void {
  setImmediate(() => {
    if (getHeapStatistics().total_heap_size <= keptBytes) return;
    collectGarbage ??= exposedCollector();
    collectGarbage();
  });
}

/** Returns V8's collector, which only a context that is made after the flag is set has. */
function exposedCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => collect() : () => {};
}
