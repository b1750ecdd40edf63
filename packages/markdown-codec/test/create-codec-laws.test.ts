import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCodec } from "../src/create-codec.ts";
import { nodeAt } from "../src/edit/tree.ts";
import type { DocJSON } from "../src/index.ts";
import { documentsOf, textsOf } from "../src/testing/codec-laws.ts";
import { decorated } from "../src/testing/decorated.ts";
import { codecLaws } from "../src/testing.ts";
import { choices, pieces } from "./documents-with-html.ts";
import { holdsForText } from "./laws.ts";
import { ownCodec, ownCodecWithHtml } from "./own-codec.ts";
import { isRefused } from "./refused.ts";
import { report, runs } from "./runs.ts";

const timeout = 24 * 3_600_000;

/** A version of a document: without some of its blocks, some of the others aligned, sized or spanned in another way. */
function versionOf(base: DocJSON, numbers: readonly number[]): DocJSON {
  const content = base.content.filter((_, index) => (numbers[index % numbers.length] ?? 0) % 7 !== 0);
  return ownCodecWithHtml.normalize(decorated(content.length > 0 ? { ...base, content } : base, numbers)).doc;
}

function mergeHolds(given: DocJSON, one: readonly number[], other: readonly number[]): void {
  const { merge, normalize, parseMarkdown, serializeMarkdown, validate } = ownCodecWithHtml;
  const base = normalize(given).doc;
  const mine = versionOf(base, one);
  const theirs = versionOf(base, other);
  for (const result of [merge(base, mine, mine), merge(base, mine, base), merge(base, base, mine)]) {
    expect(result).toEqual({ doc: mine, conflicts: [] });
  }
  const { doc, conflicts } = merge(base, mine, theirs);
  for (const conflict of conflicts) expect(nodeAt(doc, conflict.path)).toEqual(conflict.mine ?? conflict.theirs);
  expect(normalize(doc)).toEqual({ doc, changes: [] });
  expect(validate(doc, { strict: true })).toMatchObject({ ok: true });
  expect(parseMarkdown(serializeMarkdown(doc))).toEqual(doc);
}

describe("the laws of a codec with nodes and marks of an integrator", () => {
  const chosen = runs(300);

  test("they hold for a directive, constructs within a line, a line, a fence and two marks", { timeout }, () => {
    codecLaws(ownCodec, { runs: chosen.numRuns, seed: chosen.seed });
    report("documents, and as many texts, of an integrator's codec", chosen);
  });

  test("they hold for the same nodes and marks where tables, alignment and sizes are written as HTML", {
    timeout,
  }, () => {
    codecLaws(ownCodecWithHtml, { runs: chosen.numRuns, seed: chosen.seed });
    report("documents, and as many texts, of an integrator's codec with HTML", chosen);
    const texts = fc.tuple(textsOf(ownCodecWithHtml), pieces).map(([text, parts]) => [...parts, text].join("\n\n"));
    fc.assert(
      fc.property(texts, (text) => {
        try {
          holdsForText(text, {}, ownCodecWithHtml);
        } catch (error) {
          if (!isRefused(error)) throw error;
        }
      }),
      chosen,
    );
  });

  test("a merge with HTML has no conflict with a side that changed nothing, and is a document that comes back", {
    timeout,
  }, () => {
    const chosenMerges = runs(100);
    fc.assert(
      fc.property(documentsOf(ownCodecWithHtml), choices, choices, (given, one, other) => {
        try {
          mergeHolds(given, one, other);
        } catch (error) {
          if (!isRefused(error)) throw error;
        }
      }),
      chosenMerges,
    );
    report("merges of an integrator's codec with HTML", chosenMerges);
  });

  test("they hold for a codec that defines nothing", { timeout }, () => {
    codecLaws(createCodec({}), { runs: chosen.numRuns, seed: chosen.seed });
    report("documents, and as many texts, of a codec without definitions", chosen);
  });
});
