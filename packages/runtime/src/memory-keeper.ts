/** The state of a process, as `MemoryKeeper` reads it. */
export type ProcessReading = {
  /** A time in milliseconds that only grows. */
  readonly at: number;
  /** Processor time so far, in milliseconds. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  /** Bytes of the heap in use, garbage included. */
  readonly heapBytes: number;
  /** Share of the time since the last reading for which the event loop worked. */
  readonly utilization: number;
};

/** Growth since the last collection, or since the start, from which a collection is worth its time. */
const growthBytes = 64 * 1024 ** 2;
const collectEveryMs = 30_000;
/** The start leaves garbage behind: programs that were compiled, tables that were built. It is collected once, this long after it. */
const afterStartMs = 10_000;
/** Share of the time for which the event loop works, below which a pause of some 50 ms delays few requests. */
const idleShare = 0.5;
/** Processor time since the last collection from which there is garbage again. */
const workMs = 300;
/** A collection pauses the event loop for about a millisecond per megabyte in use: above this it takes too long. */
const mostHeapBytes = 100 * 1024 ** 2;

/** Decides when a process collects its garbage to return memory to the system. */
export class MemoryKeeper {
  readonly #read: () => ProcessReading;
  readonly #collect: () => Promise<void>;
  #collected: Pick<ProcessReading, "at" | "cpuMs">;
  /** The least since the last collection. */
  #residentBytes: number;
  #heapBytes: number;
  #isCollecting = false;
  #hasCollected = false;

  constructor(read: () => ProcessReading, collect: () => Promise<void>) {
    this.#read = read;
    this.#collect = collect;
    const { at, cpuMs, residentBytes, heapBytes } = read();
    this.#collected = { at, cpuMs };
    this.#residentBytes = residentBytes;
    this.#heapBytes = heapBytes;
  }

  /** Collects if that is due. Never rejects: a collection that failed is tried again when the next one is due. */
  async check(): Promise<void> {
    const now = this.#read();
    this.#residentBytes = Math.min(this.#residentBytes, now.residentBytes);
    this.#heapBytes = Math.min(this.#heapBytes, now.heapBytes);
    if (this.#isCollecting || !this.#isDue(now)) return;
    this.#isCollecting = true;
    this.#hasCollected = true;
    try {
      await this.#collect();
    } catch {
      // The memory stays with the process, which harms nothing.
    }
    this.#isCollecting = false;
    const { cpuMs, residentBytes, heapBytes } = this.#read();
    this.#collected = { at: now.at, cpuMs };
    // The process needs what is left, so that only growth beyond it is worth another collection.
    this.#residentBytes = residentBytes;
    this.#heapBytes = heapBytes;
  }

  #isDue({ at, cpuMs, residentBytes, heapBytes, utilization }: ProcessReading): boolean {
    if (utilization > idleShare) return false;
    // Until the first collection, the least is the empty heap of the start, which tells nothing about what is in use now.
    if (!this.#hasCollected) return heapBytes <= mostHeapBytes && at - this.#collected.at >= afterStartMs;
    if (this.#heapBytes > mostHeapBytes) return false;
    if (at - this.#collected.at <= collectEveryMs || cpuMs - this.#collected.cpuMs <= workMs) return false;
    return residentBytes - this.#residentBytes >= growthBytes;
  }
}
