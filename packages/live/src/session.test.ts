import fc from "fast-check";
import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import type { Node } from "prosemirror-model";
import { describe, expect, it } from "vitest";
import { runSessions, type SessionRunOptions } from "./testing.ts";

const page: Node = schema.nodeFromJSON(
  parseMarkdown(
    "# Title\n\nSome **bold** text.\n\n- one\n- two\n  - nested\n\n> A quote.\n\n| a | b |\n|---|---|\n| c | d |\n\nLast.\n",
  ),
);

async function expectNothingLost(options: SessionRunOptions): Promise<void> {
  const { diverged, lost, doubled, repeated } = await runSessions(page, options);
  expect({ diverged, lost, doubled }).toEqual({ diverged: [], lost: [], doubled: [] });
  if (!options.undoes) expect(repeated).toEqual([]);
}

describe("sessions of one document", () => {
  it("end with the same document, and lose and double nothing, over messages lost, repeated, late and out of order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.integer(),
          sessions: fc.integer({ min: 2, max: 4 }),
          turns: fc.constant(100),
          endsLogs: fc.boolean(),
          undoes: fc.boolean(),
        }),
        expectNothingLost,
      ),
      { numRuns: Number(process.env.KB_FUZZ_RUNS ?? 300), seed: Number(process.env.KB_FUZZ_SEED ?? Date.now()) },
    );
  }, 300_000);
});
