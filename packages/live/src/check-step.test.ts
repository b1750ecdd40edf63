import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { describe, expect, it } from "vitest";
import { readStep } from "./check-step.ts";
import { tryStep } from "./try-step.ts";

const text = (value: string) => ({ content: [{ type: "text", text: value }] });
const insert = (slice: unknown) => ({ stepType: "replace", from: 1, to: 1, slice });

describe("a step from outside", () => {
  it.each([
    ["a text", "replace"],
    ["nothing", null],
    ["an object without a type", {}],
    ["an unknown type", { stepType: "delete", from: 0, to: 1 }],
    ["a name of every object", { stepType: "constructor", from: 0, to: 1 }],
    ["a position that is a text", { stepType: "replace", from: "0", to: 1 }],
    ["a position before the document", { stepType: "replace", from: -1, to: 1 }],
    ["a position between two characters", { stepType: "replace", from: 0.5, to: 1 }],
    ["an end before the start", { stepType: "replace", from: 4, to: 1 }],
    ["an unknown node", insert({ content: [{ type: "script" }] })],
    ["an unknown mark", insert({ content: [{ type: "text", text: "a", marks: [{ type: "blink" }] }] })],
    ["an empty text", insert(text(""))],
    ["a heading of level 9", insert({ content: [{ type: "heading", attrs: { level: 9, id: null } }] })],
    [
      "an address that is a number",
      insert({ content: [{ type: "text", text: "a", marks: [{ type: "link", attrs: { href: 5 } }] }] }),
    ],
    ["a block in a paragraph", insert({ content: [{ type: "paragraph", content: [{ type: "paragraph" }] }] })],
    ["a list without items", insert({ content: [{ type: "bulletList" }] })],
    ["a slice that is open deeper than it is", insert({ ...text("a"), openStart: 3 })],
    ["a slice that is open inside of a text", insert({ ...text("abc"), openStart: 1 })],
    ["a slice that is open to a negative depth", insert({ ...text("abc"), openStart: -1 })],
    ["a content that is no list", insert({ content: "abc" })],
    ["a gap outside of the range", { stepType: "replaceAround", from: 1, to: 3, gapFrom: 2, gapTo: 9, insert: 0 }],
    ["a gap outside of the slice", { stepType: "replaceAround", from: 1, to: 3, gapFrom: 1, gapTo: 3, insert: 7 }],
    ["no ranges", { stepType: "replaceRanges", ranges: [] }],
    [
      "ranges that overlap",
      {
        stepType: "replaceRanges",
        ranges: [
          { from: 1, to: 3 },
          { from: 2, to: 4 },
        ],
      },
    ],
    [
      "1,001 ranges",
      { stepType: "replaceRanges", ranges: Array.from({ length: 1_001 }, (_, at) => ({ from: at, to: at })) },
    ],
    ["a range that is a number", { stepType: "replaceRanges", ranges: [5] }],
  ])("is refused: %s", (_name, json) => {
    expect(() => readStep(schema, json)).toThrow(RangeError);
  });

  it("nested 20,000 levels deep is refused", () => {
    let node: object = { type: "paragraph" };
    for (let depth = 0; depth < 20_000; depth++) node = { type: "blockquote", content: [node] };
    expect(() => readStep(schema, insert({ content: [node] }))).toThrow(RangeError);
  });

  it("outside of the document does not apply", () => {
    const doc = schema.nodeFromJSON(parseMarkdown("one"));
    const step = readStep(schema, { stepType: "replace", from: 100, to: 200 });
    expect(tryStep(() => step.apply(doc))).toBeNull();
  });

  it("that leaves an attribute out or adds one gets those of the schema", () => {
    const slice = { content: [{ type: "heading", attrs: { level: 2, onclick: "x" } }] };
    expect(JSON.stringify(readStep(schema, insert(slice)))).not.toContain("onclick");
  });
});
