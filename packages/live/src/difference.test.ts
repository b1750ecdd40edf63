import fc from "fast-check";
import { normalize, parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { documents } from "markdown-codec/testing";
import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import type { Step } from "prosemirror-transform";
import { describe, expect, it } from "vitest";
import { readStep } from "./check-step.ts";
import { difference } from "./difference.ts";
import { act } from "./testing/actions.ts";
import { randomOf } from "./testing/random.ts";

const read = (markdown: string): Node => schema.nodeFromJSON(parseMarkdown(markdown));
const runs = { numRuns: Number(process.env.KB_FUZZ_RUNS ?? 300), seed: Number(process.env.KB_FUZZ_SEED ?? Date.now()) };
const anyDocument = documents.map((json) => schema.nodeFromJSON(normalize(json).doc));

/** Applies steps after JSON, as those of the log are. */
function applied(doc: Node, steps: readonly Step[]): Node {
  let result = doc;
  for (const step of steps) {
    const { doc: next, failed } = readStep(schema, JSON.parse(JSON.stringify(step))).apply(result);
    if (next === null) throw new Error(failed ?? "The step does not apply");
    result = next;
  }
  return result;
}

describe("the difference of two documents", () => {
  it("turns the one into the other, for any two", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        expect(applied(before, difference(before, after)).eq(after)).toBe(true);
      }),
      runs,
    );
  });

  it("turns a document into any edited form of it, and keeps the blocks that were not edited", () => {
    fc.assert(
      fc.property(anyDocument, fc.integer(), (before, seed) => {
        const { tr } = EditorState.create({ doc: before });
        act(tr, randomOf(seed), () => "\uE000");
        const after = schema.nodeFromJSON(JSON.parse(JSON.stringify(tr.doc)));
        const result = applied(before, difference(before, after));
        expect(result.eq(after)).toBe(true);
        expect(sharedBlocks(before, result)).toBeGreaterThanOrEqual(sharedBlocks(before, tr.doc));
      }),
      runs,
    );
  });

  it("is empty for equal documents", () => {
    expect(difference(read("# A\n\nb"), read("# A\n\nb"))).toEqual([]);
  });

  it("names the words, the item and the attribute that changed, and nothing else", () => {
    const before = read("# A\n\nOne two three four five.\n\n- a\n- b\n\nLast.");
    const after = read("## A\n\nOne 2 three four 5.\n\n- a\n- new\n- b\n\nLast one.");
    expect(JSON.parse(JSON.stringify(difference(before, after)))).toEqual([
      { stepType: "attr", pos: 0, attr: "level", value: 2 },
      { stepType: "replace", from: 46, to: 46, slice: { content: [{ type: "text", text: " one" }] } },
      { stepType: "replace", from: 35, to: 35, slice: { content: [read("- new").child(0).child(0).toJSON()] } },
      { stepType: "replace", from: 23, to: 27, slice: { content: [{ type: "text", text: "5" }] } },
      { stepType: "replace", from: 8, to: 11, slice: { content: [{ type: "text", text: "2" }] } },
    ]);
  });

  it("compares text without spaces character by character", () => {
    const steps = difference(read("知识库服务"), read("知识馆服务"));
    expect(JSON.parse(JSON.stringify(steps))).toEqual([
      { stepType: "replace", from: 3, to: 4, slice: { content: [{ type: "text", text: "馆" }] } },
    ]);
  });

  it("changes the type of a block in place, so that what others type in it stays", () => {
    const steps = difference(read("one two"), read("## one two"));
    expect(steps.map((step) => step.getMap().map(3))).toEqual([3]);
  });
});

/** How many top-level blocks are the same objects. */
function sharedBlocks(before: Node, after: Node): number {
  const blocks = new Set<Node>();
  before.forEach((node) => void blocks.add(node));
  let shared = 0;
  after.forEach((node) => {
    if (blocks.has(node)) shared++;
  });
  return shared;
}
