import { totpCode } from "@kb/auth/testing";
import { addPerson, giveSecondFactor, outcomeOf, sessionCallerOf } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
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
});
