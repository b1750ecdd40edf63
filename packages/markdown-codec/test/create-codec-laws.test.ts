import fc from "fast-check";
import { describe, test } from "vitest";
import { createCodec } from "../src/create-codec.ts";
import { textsOf } from "../src/testing/codec-laws.ts";
import { codecLaws } from "../src/testing.ts";
import { pieces } from "./documents-with-html.ts";
import { holdsForText } from "./laws.ts";
import { ownCodec, ownCodecWithHtml } from "./own-codec.ts";
import { isRefused } from "./refused.ts";
import { report, runs } from "./runs.ts";

const timeout = 24 * 3_600_000;

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

  test("they hold for a codec that defines nothing", { timeout }, () => {
    codecLaws(createCodec({}), { runs: chosen.numRuns, seed: chosen.seed });
    report("documents, and as many texts, of a codec without definitions", chosen);
  });
});
