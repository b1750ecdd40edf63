import { setTimeout } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";

/** The pause between two looks for an element. */
const lookMs = 25;

/** The processor time of a page's main thread, which other work on the machine does not change. */
export type MainThread = {
  /** Returns the time that the thread ran while `work` did, in milliseconds. The page stays on one site meanwhile. */
  during(work: () => Promise<void>): Promise<number>;
  /** Returns the time that the thread has run until now, in milliseconds. */
  ms(): Promise<number>;
  /** Returns the JavaScript heap that is in use after a collection, in MB of 10^6 bytes. */
  heapMb(): Promise<number>;
  /** Makes the processor of the page so many times as slow; the time of the thread grows with it. */
  slowDown(rate: number): Promise<void>;
  /** Waits for an element and the next picture, without the scripts that the test library puts into a page: they would count as its work. */
  drawn(selector: string): Promise<void>;
};

/** Begins to count the processor time of a page's main thread. */
export async function watchMainThread(page: Page): Promise<MainThread> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return {
    ms: () => threadMs(session),
    heapMb: async () => {
      await session.send("HeapProfiler.collectGarbage");
      return (await metricOf(session, "JSHeapUsedSize")) / 1e6;
    },
    slowDown: async (rate) => {
      await session.send("Emulation.setCPUThrottlingRate", { rate });
    },
    during: async (work) => {
      const before = await threadMs(session);
      await work();
      return (await threadMs(session)) - before;
    },
    drawn: async (selector) => {
      const evaluate = async (expression: string): Promise<unknown> =>
        (await session.send("Runtime.evaluate", { expression, awaitPromise: true })).result.value;
      while ((await evaluate(`document.querySelector(${JSON.stringify(selector)}) !== null`)) !== true) {
        await setTimeout(lookMs);
      }
      await evaluate(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))",
      );
    },
  };
}

const threadMs = async (session: CDPSession): Promise<number> => 1_000 * (await metricOf(session, "ThreadTime"));

async function metricOf(session: CDPSession, metric: string): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === metric)?.value ?? Number.NaN;
}

/** Waits until the page has drawn what changed. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
