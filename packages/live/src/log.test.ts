import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LiveDocument } from "./live-document.ts";
import { acceptBatch, contentOf, stepsBetween } from "./log.ts";
import { LargeChangeError, StepsRefusedError } from "./log-errors.ts";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const rules = (count: number) => Array.from({ length: count }, () => ({ type: "horizontalRule" }));
const limits = { nodes: 10, characters: 100 };

/** Replaces the first paragraph of a document that holds the others unchanged. */
function outcome(blocks: readonly object[], size: number, content: readonly object[]): string {
  return outcomeOf(blocks, [{ stepType: "replace", from: 0, to: size, slice: { content } }]);
}

/** Sends steps that were made before the batches of the log. */
function outcomeOf(blocks: readonly object[], steps: readonly object[], batches: readonly string[] = []): string {
  const log = { content: JSON.stringify({ type: "doc", content: blocks }), batches };
  try {
    acceptBatch(log, { steps: JSON.stringify(steps), since: batches }, limits);
    return "accepted";
  } catch (error) {
    if (error instanceof StepsRefusedError) return error.reason;
    throw error;
  }
}

describe("a document at its limits", () => {
  it("does not take as many nodes in place of a long text", () => {
    expect(outcome([paragraph("x".repeat(12))], 14, rules(12))).toBe("full");
  });

  it("does not take a longer text in place of many nodes", () => {
    expect(outcome(rules(120), 120, [paragraph("x".repeat(101))])).toBe("full");
  });

  it("takes fewer nodes and characters, although it is still too large", () => {
    expect(outcome([paragraph("x".repeat(12)), ...rules(20)], 14, rules(2))).toBe("accepted");
    expect(outcome([paragraph("x".repeat(300))], 302, [paragraph("x".repeat(200))])).toBe("accepted");
  });
});

describe("the steps between two contents", () => {
  const before = { type: "doc" as const, content: [paragraph("one"), paragraph("two"), paragraph("two")] };

  it("turn the one into the other, whether they share blocks as objects or not", () => {
    const after = { type: "doc" as const, content: [...before.content, paragraph("three")] };
    const apart = JSON.parse(JSON.stringify(after));
    const steps = stepsBetween(before, after);
    expect(steps).toBe(stepsBetween(before, apart));
    expect(contentOf({ content: JSON.stringify(before), batches: [steps ?? ""] })).toEqual(apart);
  });

  it("are null for equal ones", () => {
    expect(stepsBetween(before, JSON.parse(JSON.stringify(before)))).toBeNull();
  });
});

describe("a batch for an earlier version", () => {
  const text = (from: number, to: number, openStart: number, openEnd: number) => ({
    stepType: "replace",
    from,
    to,
    slice: { content: [paragraph("late")], openStart, openEnd },
  });
  const inserted = JSON.stringify([
    { stepType: "replace", from: 1, to: 1, slice: { content: [{ type: "text", text: "new" }] } },
  ]);
  const deleted = JSON.stringify([{ stepType: "replace", from: 0, to: 5 }]);

  it("outside of the document is refused", () => {
    expect(outcomeOf([paragraph("one")], [text(900, 900, 1, 1)], [inserted])).toBe("invalid");
  });

  it("is accepted or refused, wherever it lies and however often it is open", () => {
    const place = fc.integer({ min: 0, max: 30 });
    const open = fc.integer({ min: 0, max: 3 });
    const around = fc.record({ from: place, to: place, gapFrom: place, gapTo: place, insert: open });
    const step = fc.oneof(
      fc.tuple(place, place, open, open).map((parts) => text(...parts)),
      around.map((fields) => ({ stepType: "replaceAround", slice: { content: [paragraph("late")] }, ...fields })),
      fc.record({ from: place, to: place }).map((range) => ({ stepType: "addMark", mark: { type: "bold" }, ...range })),
    );
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(inserted, deleted),
        (steps, since) => {
          const blocks = [paragraph("one"), { type: "blockquote", content: [paragraph("two"), paragraph("three")] }];
          expect(["accepted", "invalid", "full"]).toContain(outcomeOf(blocks, steps, [since]));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("a bound of the positions that are marked", () => {
  const bold = (stepType: string) => ({ stepType, mark: { type: "bold" }, from: 1, to: 11 });
  const marks = JSON.stringify([bold("addMark"), bold("removeMark"), bold("addMark")]);
  const document = LiveDocument.read(JSON.stringify({ type: "doc", content: [paragraph("x".repeat(10))] }));

  it("counts all steps of a batch that is sent", () => {
    const accept = (most: number) => document.accept({ steps: marks, since: [] }, limits, most);
    expect(() => accept(29)).toThrow(LargeChangeError);
    expect(accept(30).accepted.isChanged).toBe(false);
  });

  it("counts all steps of all batches that are replayed", () => {
    expect(() => document.after([marks, marks], 59)).toThrow(LargeChangeError);
    expect(document.after([marks, marks], 60).toContent()).toEqual(document.after([marks, marks]).toContent());
  });
});

describe("a log that is read again and again", () => {
  const content = JSON.stringify({ type: "doc", content: [paragraph("end")] });
  const typed = (text: string) =>
    JSON.stringify([{ stepType: "replace", from: 1, to: 1, slice: { content: [{ type: "text", text }] } }]);
  const read = (letters: string) =>
    contentOf({ content, batches: [...letters].reverse().map(typed) }).content?.[0]?.content?.[0];

  it("has all of its batches and no other, whether it grew, was trimmed, or is another log of the same text", () => {
    for (const letters of ["", "a", "ba", "cba", "ba", "xba", "yxba", "x", "", "zzz", "cba", "dcba"]) {
      expect(read(letters)).toEqual({ type: "text", text: `${letters}end` });
    }
  });

  it("is read whole again after others, and where it is too large to be kept", () => {
    const long = "l".repeat(150_000);
    const batches = [typed(long), typed(long)];
    for (let index = 0; index < 40; index += 1) {
      const other = JSON.stringify({ type: "doc", content: [paragraph(`other ${index}`)] });
      expect(contentOf({ content: other, batches: [typed("a")] })).toMatchObject({
        content: [{ content: [{ text: `aother ${index}` }] }],
      });
      expect(contentOf({ content, batches }).content).toMatchObject([{ content: [{ text: `${long}${long}end` }] }]);
    }
    expect(read("cba")).toEqual({ type: "text", text: "cbaend" });
  });
});
