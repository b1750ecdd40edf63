import { expect, it } from "vitest";
import { foldPath } from "../src/client/reading/fold-path.ts";

it("a path of five levels is shown whole, and a longer one without its middle", {
  meta: { proves: ["web.states"] },
}, () => {
  expect(foldPath([1, 2, 3, 4, 5])).toEqual({ first: [1, 2, 3, 4, 5], folded: [], last: [] });
  expect(foldPath([1, 2, 3, 4, 5, 6])).toEqual({ first: [1], folded: [2, 3, 4], last: [5, 6] });
});
