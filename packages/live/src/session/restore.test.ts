import { expect, it } from "vitest";
import { textsOfKept } from "./texts-of-kept.ts";

const attribute = (attr: string, value: string) => ({
  step: { stepType: "attr", pos: 5, attr, value },
  sentIndex: null,
});

it("kept text has the last source of a raw block, and that of inserted leaves, and no other attribute", () => {
  const inserted = {
    step: {
      stepType: "replace",
      from: 1,
      to: 1,
      slice: { content: [{ type: "inlineMath", attrs: { latex: "x^2", display: false } }] },
    },
    sentIndex: null,
  };
  const local = [attribute("source", "<p>a"), attribute("source", "<p>ab"), attribute("level", "2"), inserted];
  expect(textsOfKept({ local, orphans: ["older"] })).toEqual(["older", "<p>abx^2"]);
});
