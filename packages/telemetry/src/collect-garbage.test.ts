import { getHeapStatistics } from "node:v8";
import { expect, it } from "vitest";
import { returnFreeMemory } from "./collect-garbage.ts";

const megabyte = 1024 ** 2;
const heapMegabytes = (): number => getHeapStatistics().total_heap_size / megabyte;

/** Returns the megabytes of the heap while lists of 100 MB are in use. */
function heapWithLists(): number {
  const lists = Array.from({ length: 200 }, () => new Array<number>(65_536).fill(1));
  return lists.length === 200 ? heapMegabytes() : 0;
}

it("the memory of garbage leaves the heap", async () => {
  const full = heapWithLists();
  await returnFreeMemory();
  expect(heapMegabytes()).toBeLessThan(full - 80);
});
