import { noTelemetry } from "@kb/telemetry";
import { expect, it } from "vitest";
import { measuredLimiter } from "./measured-limiter.ts";

it("counts a decision by the kind of its key", async () => {
  const counted: unknown[] = [];
  const limiter = measuredLimiter(
    { take: async () => ({ allowed: true, remaining: 0, resetMs: 0 }), spend: async () => undefined },
    { ...noTelemetry, metrics: true, add: (_name, _count, labels) => counted.push(labels) },
  );
  for (const key of ["user:1", "burst:live.push:user:1:tab", "oauth-token:1", "person@example.org"]) {
    await limiter.take({ key, limit: 1, windowMs: 1_000 });
  }
  expect(counted).toEqual(
    ["user", "burst", "oauth-token", "other"].map((subject) => ({
      "kb.rate_limit.outcome": "allowed",
      "kb.rate_limit.subject": subject,
    })),
  );
});
