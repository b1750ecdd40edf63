import { once } from "node:events";
import { createLogger } from "@kb/runtime";
import { describe, expect, it } from "vitest";
import { runTasks, type Task } from "./run-tasks.ts";

const hourMs = 3_600_000;

function setting() {
  const lines: { message: string }[] = [];
  const logger = createLogger({
    app: "test",
    level: "info",
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const events = new EventTarget();
  const runs = { count: 0 };
  /** A task whose results are given; it sends `last` with the last one. */
  const task = (...results: readonly ("more" | "done" | Error)[]): Task => ({
    name: "sample",
    everyMs: hourMs,
    run: async () => {
      const result = results[runs.count] ?? "done";
      runs.count += 1;
      if (runs.count === results.length) events.dispatchEvent(new Event("last"));
      if (result instanceof Error) throw result;
      return result;
    },
  });
  return { lines, logger, runs, task, last: once(events, "last") };
}

describe("the tasks of a worker", () => {
  it("run early when they are woken, even during a run", async () => {
    const { logger, runs, task } = setting();
    let wake = (): void => {};
    let isRegistered = false;
    const onWake = (listener: () => void) => {
      wake = listener;
      isRegistered = true;
      return () => {
        isRegistered = false;
      };
    };
    const sample = task();
    const run = async () => {
      const result = await sample.run();
      if (runs.count === 1) wake();
      return result;
    };
    const running = runTasks([{ ...sample, run, onWake }], logger);
    await expect.poll(() => runs.count).toBe(2);
    wake();
    await expect.poll(() => runs.count).toBe(3);
    await running.close();
    expect(isRegistered).toBe(false);
  });

  it("run again at once if more work remains, and wait otherwise", async () => {
    const { logger, runs, task, last } = setting();
    const running = runTasks([task("more", "more", "done")], logger);
    await last;
    await running.close();
    expect(runs.count).toBe(3);
  });

  it("do not wait for each other", async () => {
    const { logger, task, last } = setting();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow: Task = { name: "slow", everyMs: hourMs, run: () => released.then(() => "done") };
    const running = runTasks([slow, task("more", "done")], logger);
    await last;
    release();
    await running.close();
  });

  it("are retried after a failure, which is logged without any user content", async () => {
    const { lines, logger, task, last } = setting();
    const running = runTasks([task(new Error('a "secret" title'))], logger);
    await last;
    await running.close();
    expect(lines).toMatchObject([{ message: "sample failed and will be retried", retryInMs: hourMs }]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("are awaited when the worker closes", async () => {
    const { logger } = setting();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let ended = false;
    const slow: Task = {
      name: "slow",
      everyMs: hourMs,
      run: async () => {
        await released;
        ended = true;
        return "more";
      },
    };
    const closed = runTasks([slow], logger).close();
    release();
    await closed;
    expect(ended).toBe(true);
  });
});
