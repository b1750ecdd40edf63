import { totpCode } from "@kb/auth/testing";
import { addPerson, giveSecondFactor, outcomeOf, sessionCallerOf } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { flushAudit, operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });

describe("wrong codes of somebody who is logged in", () => {
  it("after ten wrong codes even the right one of the app is refused for 15 minutes, and a recovery code is not", {
    meta: { proves: ["onboarding.second-factor.limit"] },
  }, async () => {
    const person = await addPerson(world, "Members");
    const caller = await sessionCallerOf(world, person);
    const { secret, recoveryCodes } = await giveSecondFactor(world, person);
    const start = (proof = "") => outcomeOf(caller.run(operations.startSecondFactor, { proof }));
    const right = () => start(totpCode(secret, clock.now()));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => start("000000")));
    expect(outcomes.filter((outcome) => outcome === "validation_error")).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === "rate_limited")).toHaveLength(10);
    expect(await right()).toBe("rate_limited");
    expect(await start(recoveryCodes[0])).toBe("done");
    clock.advance(15 * 60_000);
    expect(await right()).toBe("done");
  });

  it("wrong recovery codes are refused after a hundred, and do not count as codes of the app", {
    meta: { proves: ["onboarding.second-factor.limit"] },
  }, async () => {
    const person = await addPerson(world, "Members");
    const caller = await sessionCallerOf(world, person);
    const { secret, recoveryCodes } = await giveSecondFactor(world, person);
    const start = (proof = "") => outcomeOf(caller.run(operations.startSecondFactor, { proof }));
    const outcomes = await Promise.all(Array.from({ length: 101 }, () => start("0000-0000-0000-0000")));
    expect(outcomes.filter((outcome) => outcome === "validation_error")).toHaveLength(100);
    expect(await start(recoveryCodes[0])).toBe("rate_limited");
    expect(await start(totpCode(secret, clock.now()))).toBe("done");
  });

  it("are in the audit log, for each operation that asks for one", {
    meta: { proves: ["onboarding.second-factor.audit"] },
  }, async () => {
    const person = await addPerson(world, "Members");
    const caller = await sessionCallerOf(world, person);
    await giveSecondFactor(world, person);
    await outcomeOf(caller.run(operations.startSecondFactor, { proof: "000000" }));
    await outcomeOf(caller.run(operations.renewRecoveryCodes, { code: "000000" }));
    for (let count = 0; count < 9; count += 1) {
      await outcomeOf(caller.run(operations.removeSecondFactor, { code: "000000" }));
    }
    const { database } = world.service;
    await flushAudit({ database });
    const entries = await database.client.auditEntry.findMany({
      where: { teamId: world.teamId, targetId: person.id, outcome: "failed" },
      orderBy: { id: "asc" },
      select: { action: true, userId: true, details: true },
    });
    const entry = (action: string, secondFactor = "wrong") => ({
      action: `auth.secondFactor.${action}`,
      userId: person.id,
      details: { secondFactor },
    });
    const removals = Array.from({ length: 8 }, () => entry("remove"));
    expect(entries).toEqual([entry("start"), entry("renewCodes"), ...removals, entry("remove", "throttled")]);
  });
});
