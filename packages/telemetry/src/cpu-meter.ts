import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The processor time of a request so far, in milliseconds: that of its tasks in threads, and of the parts of its work on the
 * event loop that grow with its input and answer.
 */
export type CpuMeter = { cpuMs: number };

const meters = new AsyncLocalStorage<CpuMeter>();

/** Runs `work`, including everything that it awaits, for a meter. */
export const withCpuMeter = <T>(meter: CpuMeter, work: () => T): T => meters.run(meter, work);

/** Adds processor time to the meter of the running code, if there is one. */
export function addCpuTime(ms: number): void {
  const meter = meters.getStore();
  if (meter !== undefined) meter.cpuMs += ms;
}

/** Runs synchronous work and adds its processor time to the meter. Not nested: time would count twice. */
export function metered<T>(work: () => T): T {
  const meter = meters.getStore();
  if (meter === undefined) return work();
  const before = process.threadCpuUsage();
  try {
    return work();
  } finally {
    const { user, system } = process.threadCpuUsage(before);
    meter.cpuMs += (user + system) / 1_000;
  }
}
