import { addPerson, callerOf, outcomeOf } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { flushAudit } from "../audit/queue.ts";
import { admin, operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { service, teamId } = world;
const { client } = service.database;
const password = "a password of a length";
const minutes = (count: number): void => clock.advance(count * 60_000);

/** Somebody new whose log-in was an hour ago, and the outcomes of passwords that are typed in their session. */
async function guessed() {
  const person = await addPerson(world, "Members");
  await admin.setPassword(service, person.email, password);
  const logIn = async () => callerOf(world, await world.session(person), { isFresh: false });
  const caller = await logIn();
  minutes(60);
  const prove = (proof: string) => outcomeOf(caller.run(operations.proveOwner, { proof }));
  const many = async (count: number): Promise<string[]> => {
    const outcomes = [];
    for (let typed = 0; typed < count; typed += 1) outcomes.push(await prove("not the password"));
    return outcomes;
  };
  return { person, logIn, caller, prove, many };
}

const checkedOf = (outcomes: readonly string[]): number =>
  outcomes.filter((outcome) => outcome === "validation_error").length;

describe("the number of wrong passwords in a session", () => {
  it("is twenty, and then ten a day: in two days at most forty are checked", {
    meta: { proves: ["onboarding.proof.guesses"] },
    // Each password is checked by a slow hash.
    timeout: 60_000,
  }, async () => {
    const { many } = await guessed();
    let checked = 0;
    for (let hour = 0; hour < 48; hour += 1) {
      checked += checkedOf(await many(hour < 3 ? 11 : 1));
      minutes(60);
    }
    expect(checked).toBeGreaterThanOrEqual(38);
    expect(checked).toBeLessThanOrEqual(40);
  });

  it("counts those of many requests at once, and those of a change of the password", {
    meta: { proves: ["onboarding.proof.guesses"] },
  }, async () => {
    const { caller, prove, many } = await guessed();
    const change = (currentPassword: string) =>
      outcomeOf(caller.run(operations.changePassword, { currentPassword, newPassword: "another password of mine" }));
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => change("not the password")));
    expect(checkedOf(outcomes)).toBe(10);
    minutes(16);
    expect(checkedOf(await many(11))).toBe(10);
    minutes(16);
    expect([await prove(password), await change(password)]).toEqual(["rate_limited", "rate_limited"]);
  });

  it("does not keep out the owner, who logs in again; the right password forgives the wrong ones", {
    meta: { proves: ["onboarding.proof.guesses"] },
  }, async () => {
    const { person, logIn, prove, many } = await guessed();
    await many(10);
    minutes(16);
    await many(10);
    minutes(16);
    expect(await prove(password)).toBe("rate_limited");
    const owner = await logIn();
    expect(await outcomeOf(owner.run(operations.createApiKey, { name: "Key", scopes: ["read"] }))).toBe("done");
    expect(await outcomeOf(owner.run(operations.proveOwner, { proof: password }))).toBe("done");
    const where = { teamId_id: { teamId, id: person.id } };
    const select = { passwordGuesses: true, passwordGuessedAt: true };
    expect(await client.user.findUnique({ where, select })).toEqual({ passwordGuesses: 0, passwordGuessedAt: null });
    expect(await prove(password)).toBe("done");
  });

  it("is in the audit log, without what was typed", { meta: { proves: ["onboarding.proof.guesses"] } }, async () => {
    const { person, many } = await guessed();
    await many(11);
    await flushAudit(service);
    const entries = await client.auditEntry.findMany({
      where: { teamId, targetId: person.id, action: "auth.prove", outcome: "failed" },
      orderBy: { id: "asc" },
      select: { userId: true, credentialKind: true, details: true },
    });
    const entry = (how: string) => ({ userId: person.id, credentialKind: "session", details: { password: how } });
    expect(entries).toEqual([...Array.from({ length: 10 }, () => entry("wrong")), entry("throttled")]);
  });
});
