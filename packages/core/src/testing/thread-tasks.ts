import { getHeapStatistics } from "node:v8";
import { ServiceError } from "../errors.ts";
import { serveTasks } from "../threads/thread-task.ts";

function hoard(): void {
  const held: number[][] = [];
  for (;;) held.push(new Array<number>(100_000).fill(held.length));
}

const filled: number[][] = [];

/** Tasks that the tests of the pool run. */
export default serveTasks({
  double: (input: number) => input * 2,
  refuse: (input: string) => {
    throw new ServiceError("heading_not_found", input, { details: [{ path: "heading", message: input, count: 2 }] });
  },
  crash: () => {
    throw new TypeError("a defect");
  },
  spin: (input: number) => {
    const until = performance.now() + input;
    while (performance.now() < until);
    return input;
  },
  /** Takes no processor time, like a thread on a machine whose processors are busy elsewhere. */
  starve: (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms),
  hoard,
  hoardAfterAnswer: () => {
    setImmediate(hoard);
    return "answered";
  },
  burn: (cpuMs: number) => {
    const before = process.threadCpuUsage();
    for (let spentMs = 0; spentMs < cpuMs; ) {
      const { user, system } = process.threadCpuUsage(before);
      spentMs = (user + system) / 1_000;
    }
    return cpuMs;
  },
  /** Holds this number of megabytes until its answer is sent, in lists of 8 kB, which share pages as most objects do. */
  fill: (megabytes: number) => {
    while (filled.length < megabytes * 125) filled.push(new Array<number>(1_000).fill(filled.length));
    // Released here and not by the return: a collection in between would leave a heap that is too small to be collected again.
    setImmediate(() => filled.splice(0));
    return filled.length / 125;
  },
  heapBytes: () => getHeapStatistics().total_heap_size,
  environment: () => Object.keys(process.env),
});
