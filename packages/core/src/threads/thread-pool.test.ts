import type { Worker } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { defaultThreadLimits, type ThreadLimits, ThreadPool } from "./thread-pool.ts";

const pools: ThreadPool[] = [];

function poolOf(limits: Partial<ThreadLimits> = {}): ThreadPool {
  const pool = new ThreadPool(new URL("../testing/thread-tasks.ts", import.meta.url), {
    ...defaultThreadLimits,
    threads: 1,
    ...limits,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

it("runs a task in another thread and returns its result", async () => {
  expect(await poolOf().run("ada", "double", 21)).toBe(42);
});

/** Counts the threads that start and end while `work` runs. */
async function countingThreads(work: (threads: { started: number; ended: number }) => Promise<void>): Promise<void> {
  const threads = { started: 0, ended: 0 };
  const note = (worker: Worker): void => {
    threads.started += 1;
    worker.once("exit", () => {
      threads.ended += 1;
    });
  };
  process.on("worker", note);
  try {
    await work(threads);
  } finally {
    process.off("worker", note);
  }
}

it("a thread starts before the task that is expected, and runs it", () =>
  countingThreads(async (threads) => {
    const pool = poolOf();
    pool.keepWarm();
    pool.keepWarm();
    await expect.poll(() => threads.started).toBe(1);
    expect(await pool.run("ada", "double", 21)).toBe(42);
    expect(threads.started).toBe(1);
  }));

it("threads without work end, and the last one later, so that the next large document starts none", () =>
  countingThreads(async (threads) => {
    const pool = poolOf({ threads: 2, idleMs: 100, lastIdleMs: 3_600_000 });
    await Promise.all([pool.run("ada", "spin", 300), pool.run("ada", "spin", 300)]);
    await expect.poll(() => threads.ended).toBe(1);
    expect(await pool.run("ada", "double", 21)).toBe(42);
    expect(threads).toEqual({ started: 2, ended: 1 });
  }));

it("the last thread without work ends too", () =>
  countingThreads(async (threads) => {
    const pool = poolOf({ idleMs: 50, lastIdleMs: 200 });
    await pool.run("ada", "double", 21);
    await expect.poll(() => threads.ended).toBe(1);
    expect(threads.started).toBe(1);
  }));

it("an error of the service arrives with its code and details", async () => {
  await expect(poolOf().run("ada", "refuse", "No such heading")).rejects.toMatchObject({
    name: "ServiceError",
    code: "heading_not_found",
    message: "No such heading",
    details: [{ path: "heading", count: 2 }],
  });
});

it("a defect stays a defect, and the next task runs", async () => {
  const pool = poolOf();
  await expect(pool.run("ada", "crash", null)).rejects.toThrow(TypeError);
  await expect(pool.run("ada", "unknown", null)).rejects.toThrow("no task is named unknown");
  expect(await pool.run("ada", "double", 2)).toBe(4);
});

it("a task that exceeds its processor time is too_complex, and its thread is replaced", async () => {
  const pool = poolOf({ cpuMs: 200 });
  await expect(pool.run("ada", "spin", 60_000)).rejects.toMatchObject({ code: "too_complex" });
  expect(await pool.run("ada", "double", 3)).toBe(6);
});

it("a task whose thread gets no processor is refused with a time to come back, and its thread is replaced", async () => {
  const pool = poolOf({ wallMs: 200 });
  const refused = { code: "unavailable", retryAfterSeconds: 2 };
  await expect(pool.run("ada", "starve", 60_000)).rejects.toMatchObject(refused);
  expect(await pool.run("ada", "double", 3)).toBe(6);
});

it("a task has 2 seconds of processor time and 256 MB, unless a pool says otherwise", () => {
  expect(defaultThreadLimits).toMatchObject({ cpuMs: 2_000, heapMb: 256 });
});

it("a task that exceeds its memory is too_complex, and its thread is replaced", async () => {
  const pool = poolOf({ heapMb: 32 });
  await expect(pool.run("ada", "hoard", null)).rejects.toMatchObject({ code: "too_complex" });
  expect(await pool.run("ada", "double", 4)).toBe(8);
});

it("a thread that exceeds its memory after its answer is replaced, and the process goes on", async () => {
  const pool = poolOf({ heapMb: 32 });
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  process.once("worker", (worker) => worker.once("exit", resolve));
  expect(await pool.run("ada", "hoardAfterAnswer", null)).toBe("answered");
  await ended;
  expect(await pool.run("ada", "double", 5)).toBe(10);
});

it("a thread returns the memory of a large task to the system after its answer, with the pages that V8 keeps for later", async () => {
  const pool = poolOf();
  const heapMb = async (): Promise<number> => Number(await pool.run("ada", "heapBytes", null)) / 1024 ** 2;
  const before = await heapMb();
  expect(await pool.run("ada", "fill", 200)).toBe(200);
  // V8 would keep the 16 MB of its young generation, and in the process all pages that a collection emptied.
  await expect.poll(heapMb, { timeout: 10_000 }).toBeLessThan(before);
});

it("a thread keeps the memory of a smaller task while tasks follow, because to return it would discard compiled code", async () => {
  const pool = poolOf();
  expect(await pool.run("ada", "fill", 80)).toBe(80);
  for (let n = 0; n < 3; n += 1) {
    expect(Number(await pool.run("ada", "heapBytes", null)) / 1024 ** 2).toBeGreaterThan(64);
  }
});

it("an owner with many tasks delays only its own", async () => {
  const pool = poolOf();
  const finished: string[] = [];
  const run = (owner: string, label: string) =>
    pool.run(owner, "spin", 5).then(() => {
      finished.push(label);
    });
  await Promise.all([...["a1", "a2", "a3", "a4"].map((label) => run("a", label)), run("b", "b1")]);
  expect(finished).toEqual(["a1", "a2", "b1", "a3", "a4"]);
});

it("while others have tasks, an owner leaves a thread to them, so that none waits behind its long tasks", async () => {
  const pool = poolOf({ threads: 2 });
  await pool.run("b", "spin", 1);
  const finished: string[] = [];
  const run = (owner: string, label: string, ms: number) =>
    pool.run(owner, "starve", ms).then(() => {
      finished.push(label);
    });
  const long = [run("a", "a1", 1_000), run("a", "a2", 1_000)];
  await run("b", "b1", 1);
  expect(finished).toEqual(["b1"]);
  await Promise.all(long);
  expect(finished).toEqual(["b1", "a1", "a2"]);
});

it("an owner alone has all threads", async () => {
  const pool = poolOf({ threads: 2 });
  const finished: string[] = [];
  const run = (label: string, ms: number) => pool.run("a", "starve", ms).then(() => finished.push(label));
  await Promise.all([run("long", 5_000), run("short", 1)]);
  expect(finished).toEqual(["short", "long"]);
});

it("more waiting tasks than the bound of the pool or of an owner are refused with a time to come back", async () => {
  const pool = poolOf({ waiting: 3, waitingPerOwner: 2 });
  const running = [pool.run("a", "spin", 300), pool.run("a", "spin", 1), pool.run("a", "spin", 1)];
  const busy = { code: "unavailable", retryAfterSeconds: 2 };
  await expect(pool.run("a", "spin", 1)).rejects.toMatchObject(busy);
  running.push(pool.run("b", "spin", 1));
  await expect(pool.run("c", "spin", 1)).rejects.toMatchObject(busy);
  expect(await Promise.all(running)).toEqual([300, 1, 1, 1]);
  expect(pool.load).toBe(0);
});

it("a task that has waited while others took more than a bound of processor time is refused, and the next one runs", async () => {
  const pool = poolOf({ waitMs: 350 });
  const first = pool.run("a", "burn", 200);
  const second = pool.run("b", "burn", 200);
  const third = pool.run("c", "burn", 1);
  await expect(third).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
  expect(await Promise.all([first, second])).toEqual([200, 200]);
  expect(await pool.run("c", "burn", 1)).toBe(1);
  expect(pool.load).toBe(0);
});

it("a thread sees nothing of the environment", async () => {
  expect(await poolOf().run("ada", "environment", null)).toEqual([]);
});
