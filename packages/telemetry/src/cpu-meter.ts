import { AsyncLocalStorage } from "node:async_hooks";

/** The cost of a request so far. */
export type CpuMeter = {
  /**
   * Processor time in milliseconds: that of its tasks in threads, and of the parts of its work on the event loop that grow with
   * its input and answer.
   */
  cpuMs: number;
  /** The bytes that were read of a body whose length the client did not declare. */
  bodyBytes?: number;
  /** The statements of the request that PostgreSQL works on. */
  database?: DatabaseWork;
  /** Waits until it is the turn of the request's caller, and returns a function that ends it; absent where callers take no turns. */
  readonly takeTurn?: TakeTurn;
};

/**
 * Takes a turn to begin an operation, which throws when it waits for too long, or to go on with an answer that is being sent, which
 * waits for as long as its client does.
 */
type TakeTurn = (to: "begin" | "go on") => Promise<() => void>;

/** Statements that ended cost `endedMs` together; those that run cost something from times on that sum up to `costsFrom`. */
type DatabaseWork = { endedMs: number; running: number; costsFrom: number };

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

function databaseWorkOf(meter: CpuMeter): NonNullable<CpuMeter["database"]> {
  meter.database ??= { endedMs: 0, running: 0, costsFrom: 0 };
  return meter.database;
}

/**
 * Time of a statement that costs nothing, in milliseconds: the count of requests pays for it. On a busy machine, it is mostly the time
 * for which a short statement waits for a processor.
 */
const freeMs = 20;

/**
 * Counts the time from now as one for which PostgreSQL works for the running code, until the returned function is called;
 * undefined where no meter runs.
 */
export function beginDatabaseWork(): (() => void) | undefined {
  const meter = meters.getStore();
  if (meter === undefined) return undefined;
  const work = databaseWorkOf(meter);
  const costsFrom = performance.now() + freeMs;
  work.running += 1;
  work.costsFrom += costsFrom;
  return () => {
    work.running -= 1;
    work.costsFrom -= costsFrom;
    work.endedMs += Math.max(0, performance.now() - costsFrom);
  };
}

/**
 * Counts the time from now as one for which PostgreSQL works for the running code, when the returned function is called: at most
 * `mostMs`, for work that may also wait for others. Undefined where no meter runs.
 */
export function beginBoundedDatabaseWork(mostMs: number): (() => void) | undefined {
  const meter = meters.getStore();
  if (meter === undefined) return undefined;
  const work = databaseWorkOf(meter);
  const startedAt = performance.now();
  return () => {
    work.endedMs += Math.min(mostMs, performance.now() - startedAt);
  };
}

/** Returns the time for which PostgreSQL has worked for a request, including statements that still run, in milliseconds. */
export function databaseMsOf({ database }: CpuMeter): number {
  if (database === undefined) return 0;
  const { endedMs, running, costsFrom } = database;
  return endedMs + Math.max(0, running * performance.now() - costsFrom);
}

/** Takes a turn of the running code's caller, who has no other one here: it would wait for itself. Returns a function that ends it. */
export const takeTurn: TakeTurn = async (to) => (await meters.getStore()?.takeTurn?.(to)) ?? noTurn;

const noTurn = (): void => {};

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
