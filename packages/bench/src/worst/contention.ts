import { readFileSync } from "node:fs";
import { treeCpuMs } from "../processes.ts";
import { quantile } from "./probe.ts";

/** The processor times of the machine until a moment, and those of a process and its descendants, in milliseconds. */
type ProcessorTimes = {
  readonly at: number;
  /** The time that the processors had, busy or not. */
  readonly totalMs: number;
  /** The time that programs used, or that the host of a virtual machine withheld. */
  readonly usedMs: number;
  readonly ownMs: number;
};

/** How many times longer than alone work may take, because other programs use the processors; 1 if none does. */
export type Contention = {
  /** The value that is exceeded in one second of a hundred: it decides on a 99th percentile. */
  readonly worst: number;
  /** Returns the greatest value between two times in milliseconds. */
  during(from: number, to: number): number;
};

/** A time in milliseconds, and the contention since the time before. */
type Sample = { readonly from: number; readonly to: number; readonly factor: number };

const everyMs = 1_000;
const mostFactor = 50;
const msPerTick = 10;

/** Returns the times now; undefined without /proc, which only Linux has. */
export function readProcessorTimes(root = process.pid): ProcessorTimes | undefined {
  try {
    const line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "";
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = line
      .split(/\s+/)
      .slice(1)
      .map((ticks) => Number(ticks) * msPerTick);
    // Interrupts belong to no process, and those of the network are mostly the service's own.
    const usedMs = user + nice + system + steal;
    return { at: Date.now(), totalMs: usedMs + idle + wait + irq + soft, usedMs, ownMs: treeCpuMs(root) ?? 0 };
  } catch {
    return undefined;
  }
}

/**
 * Returns how many times longer work may take between two readings because of other programs: the processor time that there
 * was, divided by the part that they did not use. The service's own load does not count, or a slower service would widen its bounds.
 */
export function contentionBetween(before: ProcessorTimes, after: ProcessorTimes): number {
  const total = after.totalMs - before.totalMs;
  const others = after.usedMs - before.usedMs - Math.max(0, after.ownMs - before.ownMs);
  if (total <= 0 || others <= 0) return 1;
  return others >= total ? mostFactor : Math.min(mostFactor, total / (total - others));
}

/** Starts to measure how busy programs other than this process and its descendants keep the processors. */
export function watchContention(read: () => ProcessorTimes | undefined = readProcessorTimes): {
  stop(): Contention;
} {
  const samples: Sample[] = [];
  let last = read();
  const sample = (): void => {
    const now = read();
    if (now === undefined || last === undefined) return;
    samples.push({ from: last.at, to: now.at, factor: contentionBetween(last, now) });
    last = now;
  };
  const timer = setInterval(sample, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return contentionOf(samples);
    },
  };
}

function contentionOf(samples: readonly Sample[]): Contention {
  const factors = samples.map(({ factor }) => factor);
  return {
    worst: Math.max(1, quantile(factors, 0.99)),
    during: (from, to) =>
      samples.reduce((most, one) => (one.from <= to && one.to >= from ? Math.max(most, one.factor) : most), 1),
  };
}
