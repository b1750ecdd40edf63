import { expect, it } from "vitest";
import { importHeapMb } from "./heap.ts";

const mb = 1024 ** 2;
const machine = 64 * 1024 * mb;

it.each([
  ["a container of 1 GB", 1024 * mb, machine, 409],
  ["a container of 256 MB", 256 * mb, machine, 128],
  ["a machine of 64 GB without a limit", 0, machine, 1_024],
  ["a limit that no machine has", 2 ** 63, 2048 * mb, 819],
])("the heap of an import is at most two fifths of the memory, and at most 1 GB: %s", (_what, limit, total, heap) => {
  expect(importHeapMb(limit, total)).toBe(heap);
});
