import { getHeapStatistics } from "node:v8";
import { collectGarbage } from "@kb/telemetry/collect-garbage";
import { threadCount } from "./thread-count.ts";

/** Heap that an idle thread keeps, in bytes. */
const keptBytes = 64 * 1024 ** 2;
/** Heap that a thread keeps while tasks follow, in bytes: of all threads 256 MB. */
const keptAtWorkBytes = (256 / threadCount) * 1024 ** 2;
/** A thread without a task for so long is idle. A large document that is written in is saved every ten seconds. */
export const idleAfterMs = 15_000;

let collection: NodeJS.Timeout | undefined;

/** Called before a task: the thread is not idle. */
export function keepMemory(): void {
  clearTimeout(collection);
}

/**
 * Collects the garbage of this thread, if its heap has become large, and returns it to the system: once its answer is sent, or of a smaller
 * heap once the thread is idle, because the collection discards compiled code too. V8 would keep the memory of the largest task of each
 * thread for as long as tasks follow.
 */
export function freeMemoryAfterAnswer(): void {
  setImmediate(() => {
    const { total_heap_size: bytes } = getHeapStatistics();
    if (bytes > keptAtWorkBytes) collectGarbage();
    else if (bytes > keptBytes) {
      clearTimeout(collection);
      collection = setTimeout(collectGarbage, idleAfterMs).unref();
    }
  });
}
