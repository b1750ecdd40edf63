import { expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

function drained(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

it("serves owners in turn, and the items of one owner in their order", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) queue.push("a", item);
  queue.push("b", "b1");
  queue.push("c", "c1");
  queue.push("b", "b2");

  expect(drained(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

it("counts what waits, in all and for each owner", () => {
  const queue = new FairQueue<string>();
  queue.push("a", "a1");
  queue.push("a", "a2");
  queue.push("b", "b1");
  queue.shift();

  expect([queue.size, queue.sizeOf("a"), queue.sizeOf("b"), queue.sizeOf("c")]).toEqual([2, 1, 1, 0]);
  expect(drained(queue)).toEqual(["b1", "a2"]);
  expect(queue.shift()).toBeUndefined();
});

it("an owner that left and came back goes to the end of the line", () => {
  const queue = new FairQueue<string>();
  queue.push("a", "a1");
  queue.push("b", "b1");
  queue.shift();
  queue.push("a", "a2");

  expect(drained(queue)).toEqual(["b1", "a2"]);
});

it("an owner that may not be served keeps its place, and the next one is served", () => {
  const queue = new FairQueue<string>();
  queue.push("a", "a1");
  queue.push("b", "b1");

  expect(queue.shift((owner) => owner !== "a")).toBe("b1");
  expect(queue.shift((owner) => owner !== "a")).toBeUndefined();
  expect(drained(queue)).toEqual(["a1"]);
});
