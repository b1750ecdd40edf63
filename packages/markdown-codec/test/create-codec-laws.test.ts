import { describe, test } from "vitest";
import { createCodec } from "../src/create-codec.ts";
import { codecLaws } from "../src/testing.ts";
import { ownCodec } from "./own-codec.ts";
import { report, runs } from "./runs.ts";

const timeout = 24 * 3_600_000;

describe("the laws of a codec with nodes and marks of an integrator", () => {
  const chosen = runs(300);

  test("they hold for a directive, constructs within a line, a line, a fence and two marks", { timeout }, () => {
    codecLaws(ownCodec, { runs: chosen.numRuns, seed: chosen.seed });
    report("documents, and as many texts, of an integrator's codec", chosen);
  });

  test("they hold for a codec that defines nothing", { timeout }, () => {
    codecLaws(createCodec({}), { runs: chosen.numRuns, seed: chosen.seed });
    report("documents, and as many texts, of a codec without definitions", chosen);
  });
});
