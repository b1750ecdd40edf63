import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../src/index.ts";
import { RAW_BLOCKS, RAW_INLINES } from "../src/raw.ts";
import { schema } from "../src/schema.ts";
import { corpusName, type RealFile, realFiles, sampleFiles, spread } from "./corpus.ts";
import { type Json, nodesOf } from "./json.ts";
import { countRenderings } from "./rendering.ts";

const leastShare = 0.97;
const timeout = 600_000;

/** Holds that each of the three readers shows nearly all files as before. */
function areShownAlike(files: readonly RealFile[]): void {
  for (const { renderer, files: compared, leftOut, different } of countRenderings(files)) {
    const share = (100 * (1 - different.length / compared)).toFixed(1);
    process.stdout.write(`rendering: ${renderer} ${share} % of ${compared} files (${leftOut} left out)\n`);
    expect(different.length, different.join("\n")).toBeLessThanOrEqual((1 - leastShare) * compared);
  }
}

/** The names of a node that a sample has to hold: its type, its kind, and those of its marks. */
function namesOf({ type, attrs, marks = [] }: Json): string[] {
  const kind = type.startsWith("raw") ? `${type} ${attrs?.kind}` : type;
  return [kind, ...marks.map((mark) => mark.type)];
}

describe("three other readers show the same page before and after one pass", () => {
  test(`of ${corpusName(realFiles().length)}`, { timeout }, () => {
    areShownAlike(spread(realFiles(), 400));
  });

  test("of the committed sample, which has at least 300 files", { timeout }, () => {
    const files = sampleFiles();
    expect(files.length).toBeGreaterThanOrEqual(300);
    areShownAlike(files);
  });

  test("the sample holds every node, every mark and every kind of raw construct", () => {
    const found = new Set(sampleFiles().flatMap(({ text }) => [...nodesOf(parseMarkdown(text))].flatMap(namesOf)));
    const nodes = Object.keys(schema.nodes).filter((name) => !name.startsWith("raw"));
    const raw = [...RAW_BLOCKS.map((kind) => `rawBlock ${kind}`), ...RAW_INLINES.map((kind) => `rawInline ${kind}`)];
    const missing = [...nodes, ...Object.keys(schema.marks), ...raw].filter((name) => !found.has(name));
    expect(missing).toEqual([]);
  });
});
