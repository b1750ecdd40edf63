import { hashPassword } from "@kb/auth";
import { totpCode } from "@kb/auth/testing";
import { addPerson, callerOf, giveSecondFactor, outcomeOf, type Person, type TestCaller } from "@kb/core/testing";
import { expect, it } from "vitest";
import { setPasswordByLink } from "../index.ts";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const { people, teamId, service } = world;
const off = { ...world, service: { ...service, passwordLogIn: false } };
const password = "a password of a length";
const passwordHash = await hashPassword(password);
const setHash = (id: string) =>
  service.database.client.user.update({ where: { teamId_id: { teamId, id } }, data: { passwordHash } });

async function callerWithPassword(person: Person): Promise<TestCaller> {
  await setHash(person.id);
  return callerOf(off, await world.session(person));
}

it("nobody sets a password: neither their own, nor that of others, nor by a link of before", {
  meta: { proves: ["onboarding.passwords-off.operations"] },
}, async () => {
  const boss = await callerWithPassword(people.admin);
  const { id, email } = await addPerson(world, "Members");
  const before = callerOf(world, await world.session(people.admin));
  const { link } = await before.run(operations.createPasswordLink, { id });
  const newPassword = "another password of a length";
  const calls = [
    boss.run(operations.changePassword, { currentPassword: password, newPassword }),
    boss.run(operations.createPasswordLink, { id }),
    boss.run(operations.resetPassword, { id }),
    boss.run(operations.inviteUser, { email: "new@example.com", password: newPassword }),
  ];
  expect(await Promise.all(calls.map(outcomeOf))).toEqual(["conflict", "conflict", "conflict", "conflict"]);
  const token = link?.split("/reset/")[1] ?? "";
  const use = { token, password: newPassword, address: "203.0.113.1", requestId: "request" };
  expect(await setPasswordByLink(off.service, use)).toBe(false);
  const where = { teamId_id: { teamId, id } };
  expect((await service.database.client.user.findUnique({ where }))?.passwordHash).toBeNull();
  const added = await boss.run(operations.inviteUser, { email: `of-${email}` });
  expect(added.password).toBeNull();
});

it("a password is no proof: a new log-in is, or a code of the second factor", {
  meta: { proves: ["onboarding.passwords-off.operations"] },
}, async () => {
  const person = await addPerson(world, "Members");
  await setHash(person.id);
  const session = await world.session(person);
  const caller = callerOf(off, session);
  expect((await caller.run(operations.getSession, {})).profile.hasPassword).toBe(false);
  expect((await caller.run(operations.getSecondFactor, {})).proof).toBe("none");
  expect((await caller.run(operations.bootApp, {})).passwordLogIn).toBe(false);
  expect(await outcomeOf(caller.run(operations.proveOwner, { proof: password }))).toBe("conflict");
  const { secret } = await giveSecondFactor(world, person);
  const code = totpCode(secret, service.clock.now());
  expect(await outcomeOf(caller.run(operations.proveOwner, { proof: code }))).toBe("done");
  const on = callerOf(world, session);
  expect((await on.run(operations.getSession, {})).profile.hasPassword).toBe(true);
});
