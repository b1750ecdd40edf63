import { describe, expect, it } from "vitest";
import { acceptBatch, StepsRefusedError } from "./log.ts";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const rules = (count: number) => Array.from({ length: count }, () => ({ type: "horizontalRule" }));
const limits = { nodes: 10, characters: 100 };

/** Replaces the first paragraph of a document that holds the others unchanged. */
function outcome(blocks: readonly object[], size: number, content: readonly object[]): string {
  const log = { content: JSON.stringify({ type: "doc", content: blocks }), batches: [] };
  const steps = JSON.stringify([{ stepType: "replace", from: 0, to: size, slice: { content } }]);
  try {
    acceptBatch(log, { steps, since: [] }, limits);
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
