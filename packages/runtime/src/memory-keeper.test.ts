import { describe, expect, it } from "vitest";
import { MemoryKeeper, type ProcessReading } from "./memory-keeper.ts";

const megabyte = 1024 ** 2;

/** Returns a process that works, and can be changed, with the number of its collections. */
function workingProcess(collect: (state: { residentBytes: number; heapBytes: number }) => Promise<void>) {
  const state = { residentBytes: 100 * megabyte, heapBytes: 40 * megabyte };
  const time = { at: 0, cpuMs: 0 };
  let collections = 0;
  const read = (): ProcessReading => ({ ...time, ...state, utilization: 0.1 });
  const keeper = new MemoryKeeper(read, () => {
    collections += 1;
    return collect(state);
  });
  return {
    state,
    count: () => collections,
    /** Works for a minute, or for another time, and then checks. */
    async work(ms = 60_000): Promise<void> {
      time.at += ms;
      time.cpuMs += ms / 60;
      await keeper.check();
    },
  };
}

describe("the memory of a process", () => {
  it("is collected once 10 s after the start, which leaves garbage behind, and not again without growth", async () => {
    const process = workingProcess(async () => undefined);
    await process.work(9_000);
    expect(process.count()).toBe(0);
    await process.work(1_000);
    expect(process.count()).toBe(1);
    for (let minute = 0; minute < 5; minute += 1) await process.work();
    expect(process.count()).toBe(1);
  });

  it("is collected once after a later burst, and not again where the process needs what is left", async () => {
    const process = workingProcess(async (state) => {
      state.residentBytes = 200 * megabyte;
    });
    await process.work();
    expect(process.count()).toBe(1);
    process.state.residentBytes = 400 * megabyte;
    for (let minute = 0; minute < 5; minute += 1) await process.work();
    expect(process.count()).toBe(2);
    process.state.residentBytes = 270 * megabyte;
    await process.work();
    expect(process.count()).toBe(3);
  });

  it("is not collected again while more than 100 MB of the heap is in use, which would take long", async () => {
    const process = workingProcess(async (state) => {
      state.heapBytes = 300 * megabyte;
    });
    await process.work();
    process.state.residentBytes = 800 * megabyte;
    await process.work();
    expect(process.count()).toBe(1);
    process.state.heapBytes = 80 * megabyte;
    await process.work();
    expect(process.count()).toBe(2);
  });

  it("is not collected for the first time either while more than 100 MB of the heap is in use", async () => {
    const process = workingProcess(async () => undefined);
    process.state.heapBytes = 300 * megabyte;
    await process.work();
    expect(process.count()).toBe(0);
    process.state.heapBytes = 80 * megabyte;
    await process.work();
    expect(process.count()).toBe(1);
  });

  it("is collected again after a collection that failed", async () => {
    const process = workingProcess(() => Promise.reject(new Error("no collector")));
    process.state.residentBytes = 400 * megabyte;
    await process.work();
    process.state.residentBytes = 500 * megabyte;
    await process.work();
    expect(process.count()).toBe(2);
  });
});
