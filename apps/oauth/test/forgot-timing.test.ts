import { sealer } from "@kb/auth";
import { mailResetLinks } from "@kb/core";
import { addPerson, testSecret } from "@kb/core/testing";
import { newId } from "@kb/db";
import { expect, it } from "vitest";
import { testBrowser } from "./browser.ts";
import { compareTimes } from "./compare-times.ts";
import { openSetting } from "./setting.ts";

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
    const ratios = await compareTimes({
      before: async (turn) => {
        // A worker answers in between, as it does beside a running service.
        if (turn % 5 === 4) await mailResetLinks({ ...setting.world.service, mail }, 50);
        // Another hour, so that no limit is reached.
        setting.clock.advance(60 * 60 * 1000);
      },
      kinds: {
        unknown: () => time(`${newId()}@example.org`, "192.0.2.2"),
        known: (turn) => time(people[turn % people.length]?.email ?? "", "192.0.2.1"),
      },
    });
    for (const ratio of Object.values(ratios)) expect([ratio > 0.8, ratio < 1.25]).toEqual([true, true]);
  } finally {
    await setting.close();
  }
});
