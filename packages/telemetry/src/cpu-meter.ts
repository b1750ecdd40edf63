import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The processor time of a request so far, in milliseconds: that of its tasks in threads, and of the parts of its work on the
 * event loop that grow with its input and answer.
 */
export type CpuMeter = {
  cpuMs: number;
  /** The bytes that were read of a body whose length the client did not declare. */
  bodyBytes?: number;
};

const meters = new AsyncLocalStorage<CpuMeter>();

/** Runs `work`, including everything that it awaits, for a meter. */
export const withCpuMeter = <T>(meter: CpuMeter, work: () => T): T => meters.run(meter, work);

/** Adds processor time to the meter of the running code, if there is one. */
export function addCpuTime(ms: number): void {
  const meter = meters.getStore();
  if (meter !== undefined) meter.cpuMs += ms;
}

/** Adds bytes that were read of a body to the meter of the running code, if there is one. */
export function addBodyBytes(bytes: number): void {
  const meter = meters.getStore();
  if (meter !== undefined) meter.bodyBytes = (meter.bodyBytes ?? 0) + bytes;
}

/** Work up to this time counts by the clock: reading the processor time of a thread takes a hundred times as long. */
const shortMs = 1;
/** A reading of the processor time serves the work that begins within this time. */
const freshMs = 10;

/** The last reading of the processor time of this thread. */
let reading = { at: Number.NEGATIVE_INFINITY, cpuMs: 0 };

function readCpu(at: number): void {
  const { user, system } = process.threadCpuUsage();
  reading = { at, cpuMs: (user + system) / 1_000 };
}

/**
 * Runs synchronous work and adds its processor time to the meter. Not nested: time would count twice. Short work counts the time
 * that passed; longer work at most that, and at most 10 ms of processor time too much.
 */
export function metered<T>(work: () => T): T {
  const meter = meters.getStore();
  if (meter === undefined) return work();
  const startedAt = performance.now();
  if (startedAt - reading.at > freshMs) readCpu(startedAt);
  try {
    return work();
  } finally {
    const endedAt = performance.now();
    const passedMs = endedAt - startedAt;
    if (passedMs <= shortMs) meter.cpuMs += passedMs;
    else {
      const before = reading.cpuMs;
      readCpu(endedAt);
      meter.cpuMs += Math.min(passedMs, reading.cpuMs - before);
    }
  }
}
