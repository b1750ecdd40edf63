import { expect, it } from "vitest";
import { insertedText } from "../testing/live-client.ts";
import { growthOfSteps } from "./growth-of-steps.ts";

const paragraph = { type: "paragraph", content: [{ type: "text", text: "äb" }] };
const link = { type: "link", attrs: { href: "https://e.org" } };

it.each([
  ["inserts a text", insertedText(1, "äb"), 3],
  ["replaces a longer text", { stepType: "replace", from: 1, to: 9, slice: { content: [paragraph] } }, -5],
  ["deletes a range", { stepType: "replace", from: 1, to: 9 }, -8],
  [
    "deletes two ranges",
    {
      stepType: "replaceRanges",
      ranges: [
        { from: 1, to: 3 },
        { from: 5, to: 6 },
      ],
    },
    -3,
  ],
  ["wraps a block", { stepType: "replaceAround", from: 0, to: 9, gapFrom: 0, gapTo: 9, insert: 1, slice: {} }, 0],
  ["adds a link", { stepType: "addMark", from: 1, to: 5, mark: link }, 13],
  ["removes a link", { stepType: "removeMark", from: 1, to: 5, mark: link }, 0],
  ["sets an attribute", { stepType: "attr", pos: 0, attr: "language", value: "ts" }, 2],
])("a step that %s grows the document by about its bytes", (_name, step, bytes) => {
  expect(growthOfSteps(JSON.stringify([step]))).toBe(bytes);
});
