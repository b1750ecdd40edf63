import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fixture } from "./fixture.ts";
import { openStand, type Stand } from "./stand.ts";
import { type Outcome, type Revision, runSuite, scoredScenarios } from "./suite.ts";

let stand: Stand | undefined;
afterEach(() => stand?.close());

/** The checks that the knowledge base cannot pass, by scenario, because they need features of a test server. */
const baseline: Record<Revision, Record<string, string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "baseline.json"), "utf8"),
);

const revisions: Revision[] = ["2025-11-25", "2026-07-28"];

describe("the official conformance suite, on one instance", () => {
  it.each(revisions)(
    "%s: a server with the suite's own tools passes every scored scenario",
    async (revision) => {
      stand = await openStand({ offer: fixture });
      const outcomes = await runSuite(stand.url, revision);
      expect(scoredScenarios(revision)).toContain("tools-call-simple-text");
      for (const scenario of scoredScenarios(revision)) {
        expect({ scenario, ...outcomes.get(scenario) }).toMatchObject({ failed: [] });
        expect(outcomes.get(scenario)?.passed).toBeGreaterThan(0);
      }
    },
    120_000,
  );

  it.each(revisions)(
    "%s: the knowledge base fails exactly what it has no tools for",
    async (revision) => {
      stand = await openStand();
      const outcomes = await runSuite(stand.url, revision);
      const failed = scoredScenarios(revision).flatMap((scenario) => {
        const outcome: Outcome = outcomes.get(scenario) ?? { passed: 0, failed: ["it did not run"] };
        return outcome.failed.length > 0 || outcome.passed === 0 ? [[scenario, outcome.failed]] : [];
      });
      expect(Object.fromEntries(failed)).toEqual(baseline[revision]);
    },
    120_000,
  );
});
