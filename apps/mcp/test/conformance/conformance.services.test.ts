import { type RedisServer, redisServer } from "@kb/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture } from "./fixture.ts";
import { openStand } from "./stand.ts";
import { type Revision, runSuite, scoredScenarios } from "./suite.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await redisServer();
});
afterAll(() => redis?.stop());

describe("the official conformance suite, on two instances that take turns, with sessions in Redis", () => {
  it.each<Revision>(["2025-11-25", "2026-07-28"])(
    "%s: a server with the suite's own tools passes every scored scenario",
    async (revision) => {
      const stand = await openStand({ instances: 2, redisUrl: redis.url, offer: fixture });
      try {
        const outcomes = await runSuite(stand.url, revision);
        for (const scenario of scoredScenarios(revision)) {
          expect({ scenario, ...outcomes.get(scenario) }).toMatchObject({ failed: [] });
          expect(outcomes.get(scenario)?.passed).toBeGreaterThan(0);
        }
      } finally {
        await stand.close();
      }
    },
    120_000,
  );
});
