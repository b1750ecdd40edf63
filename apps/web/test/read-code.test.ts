import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CodeAnswer, ReadCode } from "../src/client/reading/tokens-worker.ts";

vi.mock("../src/client/reading/tokens-worker.ts?worker&url", () => ({ default: "/assets/tokens-worker.js" }));

const workers: FakeWorker[] = [];

/** Does what a text says: it answers at once, or not at all. */
class FakeWorker {
  onmessage: ((event: { data: CodeAnswer }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly asked: string[] = [];
  isEnded = false;

  constructor() {
    workers.push(this);
  }

  postMessage({ text }: ReadCode): void {
    this.asked.push(text);
    const answer = (data: CodeAnswer): void => this.onmessage?.({ data });
    if (text === "broken") this.onerror?.();
    else if (text === "failed") answer("failed");
    else if (text !== "stalled") {
      answer("reading");
      if (text !== "slow") answer([{ group: "code-word", from: 0, to: text.length }]);
    }
  }

  terminate(): void {
    this.isEnded = true;
  }
}

const read = async (text: string, isWanted = () => true) => {
  const { partsOfCode } = await import("../src/client/reading/read-code.ts");
  return partsOfCode(text, "js", isWanted);
};
const colors = (text: string) => [{ group: "code-word", from: 0, to: text.length }];

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  workers.length = 0;
  vi.stubGlobal("Worker", FakeWorker);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("code is read by one worker, one block after the other, and the worker ends after a minute without any", async () => {
  expect(await Promise.all([read("one"), read("two")])).toEqual([colors("one"), colors("two")]);
  expect(workers.map(({ asked }) => asked)).toEqual([["one", "two"]]);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(workers[0]?.isEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(workers[0]?.isEnded).toBe(true);
  expect(await read("three")).toEqual(colors("three"));
  expect(workers).toHaveLength(2);
});

it("code that takes more than 2 s to read is slow, and the next block has another worker", async () => {
  const both = Promise.all([read("slow"), read("next")]);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(workers).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await both).toEqual(["slow", colors("next")]);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

it.each([
  ["a worker that answers nothing within 20 s", "stalled"],
  ["a worker whose file does not come", "broken"],
  ["a language that does not come", "failed"],
])("%s keeps the next block from nothing", async (_name, text) => {
  const first = read(text).catch((error: Error) => error.message);
  const next = read("next");
  await vi.advanceTimersByTimeAsync(20_100);
  expect(await first).toBe("The colors of javascript were not loaded");
  expect(await next).toEqual(colors("next"));
  expect(workers[0]?.isEnded).toBe(true);
});

it("code that is not wanted any more when its turn comes is not read", async () => {
  let isWanted = true;
  const both = Promise.all([read("slow"), read("gone", () => isWanted)]);
  await vi.advanceTimersByTimeAsync(100);
  isWanted = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await both).toEqual(["slow", []]);
  expect(workers.flatMap(({ asked }) => asked)).toEqual(["slow"]);
});
