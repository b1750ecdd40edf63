import { expect, it } from "vitest";
import { regressionBounds, targets } from "./judge.ts";

it("the bounds of times grow with the load of the machine to a limit, and that of memory does not", () => {
  const free = regressionBounds({ contention: 1 });
  expect(free).toEqual({ probeP99Ms: 500, residentBytes: 1_000 * 1024 ** 2, requestMs: 6_000 });
  expect(regressionBounds({ contention: 2 })).toEqual({ ...free, probeP99Ms: 1_000, requestMs: 12_000 });
  expect(regressionBounds({ contention: 50 })).toEqual({ ...free, probeP99Ms: 2_000, requestMs: 20_000 });
  expect(free.residentBytes).toBeGreaterThan(targets.residentBytes);
});
