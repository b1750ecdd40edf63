import { logIn } from "@kb/auth";
import { giveSecondFactor, outcomeOf, sessionCallerOf, testSecret } from "@kb/core/testing";
import { sql } from "@kb/db";
import { testClock } from "@kb/testing";
import { expect, it } from "vitest";
import { admin, operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { test, world } = await testWorld({ clock });
const { service, teamId, people } = world;
const password = "a password of a length";

/** Starts something while the team's switch is being turned, and lets it go on when the switch is committed. */
async function whileSwitching<T>(secondFactorRequired: boolean, later: () => Promise<T>): Promise<T> {
  const started: Promise<T>[] = [];
  await test.database.transaction(async (tx) => {
    await tx.team.update({ where: { id: teamId }, data: { secondFactorRequired }, select: { id: true } });
    started.push(later());
    await expect
      .poll(
        () =>
          test.database.acrossTeams.rows(sql`SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`),
        { timeout: 10_000 },
      )
      .toHaveLength(1);
  });
  const [first] = started;
  if (first === undefined) throw new Error("nothing was started");
  return first;
}

it("a second factor cannot be turned off while the team begins to require one", {
  meta: { proves: ["onboarding.second-factor.switch"] },
}, async () => {
  const { recoveryCodes } = await giveSecondFactor(world, people.member);
  const caller = await sessionCallerOf(world, people.member);
  const remove = (code = "") => outcomeOf(caller.run(operations.removeSecondFactor, { code }));
  expect(await whileSwitching(true, () => remove(recoveryCodes[0]))).toBe("conflict");
  expect(await remove(recoveryCodes[1])).toBe("conflict");
});

it("a log-in that runs while the team begins to require a second factor starts no session without one", {
  meta: { proves: ["onboarding.second-factor.required"] },
}, async () => {
  await test.database.client.team.update({ where: { id: teamId }, data: { secondFactorRequired: false } });
  const { email } = people.viewer;
  await admin.setPassword(service, email, password);
  const attempt = { email, password, address: "203.0.113.1", network: "203.0.113.1" };
  const key = new TextEncoder().encode(testSecret);
  const outcome = await whileSwitching(true, () => logIn(test.database, attempt, { key, clock }));
  expect(outcome).toMatchObject({ kind: "second_step", needs: "set_up" });
});
