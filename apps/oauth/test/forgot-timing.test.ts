import { sealer } from "@kb/auth";
import { mailResetLinks } from "@kb/core";
import { addPerson, testSecret } from "@kb/core/testing";
import { newId } from "@kb/db";
import { expect, it } from "vitest";
import { testBrowser } from "./browser.ts";
import { openSetting } from "./setting.ts";

// KB_HIDDEN_CALLS=500 compares the times of this number of requests, else it is a few, of which no time is asserted.
const timedCalls = process.env.KB_HIDDEN_CALLS === undefined ? undefined : Number(process.env.KB_HIDDEN_CALLS);

it("a request for a forgotten password takes the same time whether or not the address has an account", {
  meta: { proves: ["onboarding.reset.same-answer"] },
  timeout: 600_000,
}, async () => {
  const mail = { sealer: sealer(testSecret, "mails") };
  const setting = await openSetting({ mail });
  try {
    const people = await Promise.all(Array.from({ length: 4 }, () => addPerson(setting.world, "Members")));
    const time = async (email: string, address: string): Promise<number> => {
      const visitor = testBrowser(setting.app, { address });
      const page = await visitor.get("/forgot");
      const startedAt = performance.now();
      expect((await visitor.submit(page, "/forgot", { email })).status).toBe(200);
      return performance.now() - startedAt;
    };
    const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    for (let turn = 0; turn < (timedCalls ?? 10); turn += 1) {
      // Another hour, so that no limit is reached; both kinds in turns, each first in half of them.
      setting.clock.advance(60 * 60 * 1000);
      const email = people[turn % people.length]?.email ?? "";
      const both = [
        async () => times.known.push(await time(email, "192.0.2.1")),
        async () => times.unknown.push(await time(`${newId()}@example.org`, "192.0.2.2")),
      ];
      for (const one of turn % 2 === 0 ? both : both.reverse()) await one();
      // A worker answers in between, as it does beside a running service.
      if (turn % 5 === 4) await mailResetLinks({ ...setting.world.service, mail }, 50);
    }
    const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
    const ratio = median(times.known) / median(times.unknown);
    expect(times.known).toHaveLength(times.unknown.length);
    if (timedCalls === undefined) return;
    console.log(
      `known ${median(times.known).toFixed(2)} ms, unknown ${median(times.unknown).toFixed(2)} ms, ratio ${ratio.toFixed(3)}`,
    );
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
  } finally {
    await setting.close();
  }
});
