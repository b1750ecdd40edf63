import { afterEach, describe, expect, it, vi } from "vitest";
import {
  beginBoundedDatabaseWork,
  beginDatabaseWork,
  type CpuMeter,
  databaseMsOf,
  metered,
  withCpuMeter,
} from "./cpu-meter.ts";
import { startSharedWork } from "./shared-work.ts";

const newMeter = (): CpuMeter => ({ cpuMs: 0 });

function useProcessor(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= ms * 1_000) return;
  }
}

describe("the meter of processor time", () => {
  it("counts all processor time of long work, and at most 10 ms of other work before it", () => {
    const meter = newMeter();
    const startedAt = performance.now();
    withCpuMeter(meter, () => metered(() => useProcessor(40)));
    expect(meter.cpuMs).toBeGreaterThanOrEqual(39);
    expect(meter.cpuMs).toBeLessThanOrEqual(Math.min(70, performance.now() - startedAt));
  });

  it("does not count the time for which long work waits for a processor", () => {
    const meter = newMeter();
    const waits = new Int32Array(new SharedArrayBuffer(4));
    withCpuMeter(meter, () => metered(() => Atomics.wait(waits, 0, 0, 300)));
    expect(meter.cpuMs).toBeLessThan(60);
  });

  it("counts at most the time that passes for short work, and something for much of it", () => {
    const meter = newMeter();
    const startedAt = performance.now();
    withCpuMeter(meter, () => {
      for (let n = 0; n < 1_000; n += 1) metered(() => JSON.stringify(Array.from({ length: 50 }, String)));
    });
    expect(meter.cpuMs).toBeGreaterThan(0.1);
    expect(meter.cpuMs).toBeLessThanOrEqual(performance.now() - startedAt);
  });

  it("counts nothing where no meter runs, and returns what the work returns or throws", () => {
    expect(metered(() => 7)).toBe(7);
    const meter = newMeter();
    const fail = (): never => {
      throw new Error("failed");
    };
    expect(() => withCpuMeter(meter, () => metered(fail))).toThrow("failed");
    expect(meter.cpuMs).toBeGreaterThan(0);
  });
});

describe("the meter of the time for which PostgreSQL works", () => {
  afterEach(() => vi.useRealTimers());

  it("counts what each statement takes beyond 20 ms, while it runs and when it has ended", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const meter = newMeter();
    const begin = (): (() => void) => withCpuMeter(meter, () => beginDatabaseWork() ?? (() => {}));
    const endShort = begin();
    vi.advanceTimersByTime(20);
    endShort();
    expect(databaseMsOf(meter)).toBe(0);
    const ends = [begin(), begin()];
    vi.advanceTimersByTime(120);
    expect(databaseMsOf(meter)).toBe(200);
    for (const end of ends) end();
    vi.advanceTimersByTime(1_000);
    expect(databaseMsOf(meter)).toBe(200);
  });

  it("counts at most a bound for work that may also wait for others", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const meter = newMeter();
    for (const [tookMs, countedMs] of [
      [30, 30],
      [500, 80],
    ] as const) {
      const end = withCpuMeter(meter, () => beginBoundedDatabaseWork(50));
      vi.advanceTimersByTime(tookMs);
      end?.();
      expect(databaseMsOf(meter)).toBe(countedMs);
    }
  });

  it("counts nothing for shared work, which is in nobody's account", () => {
    const meter = newMeter();
    const begin = () => startSharedWork(() => beginDatabaseWork());
    expect(withCpuMeter(meter, begin)).toBeUndefined();
    expect(databaseMsOf(meter)).toBe(0);
  });
});
