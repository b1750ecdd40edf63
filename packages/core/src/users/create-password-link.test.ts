import { sealer, verifyPassword } from "@kb/auth";
import { addPerson, callerOf, outcomeOf, testSecret } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { expect, it } from "vitest";
import { findPasswordReset, mailContentOf, operations, setPasswordByLink } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { service, teamId, people } = world;
const session = await world.session(people.admin);
const boss = callerOf(world, session);
const password = "a password of a length";

const use = (link: string | null, given = password) => {
  const token = link?.split("/reset/")[1] ?? "";
  return setPasswordByLink(service, { token, password: given, address: "203.0.113.1", requestId: "request" });
};
const hashOf = async (id: string) =>
  (await service.database.client.user.findUniqueOrThrow({ where: { teamId_id: { teamId, id } } })).passwordHash;

it("without a mail server an admin gets a link to hand over, also for a user without a password; it works once, for an hour", {
  meta: { proves: ["onboarding.reset.admin", "onboarding.reset.link"] },
}, async () => {
  const person = await addPerson(world, "Members");
  expect(await hashOf(person.id)).toBeNull();
  const { user, link } = await boss.run(operations.createPasswordLink, { id: person.id });
  expect(user).toMatchObject({ id: person.id, email: person.email });
  expect(await use(link)).toBe(true);
  expect(await verifyPassword((await hashOf(person.id)) ?? "", password)).toBe(true);
  expect(await use(link)).toBe(false);
  const first = await boss.run(operations.createPasswordLink, { id: person.id });
  const second = await boss.run(operations.createPasswordLink, { id: person.id });
  expect(await use(first.link)).toBe(false);
  clock.advance(60 * 60 * 1000);
  expect(await use(second.link)).toBe(false);
});

it("with a mail server the link is mailed in the language of the user, and not shown", {
  meta: { proves: ["onboarding.reset.admin"] },
}, async () => {
  const mail = { sealer: sealer(testSecret, "mails") };
  const sender = callerOf({ ...world, service: { ...service, mail } }, session);
  const { client } = service.database;
  const where = { teamId_id: { teamId, id: people.viewer.id } };
  await client.user.update({ where, data: { language: "ar" } });
  const { link } = await sender.run(operations.createPasswordLink, { id: people.viewer.id });
  expect(link).toBeNull();
  const row = await client.mail.findFirstOrThrow({ where: { teamId, userId: people.viewer.id } });
  const content = mailContentOf({ ...row, obsolete: false }, mail, service.appUrl);
  expect(content).toMatchObject({ kind: "password_reset", language: "ar" });
  expect(await findPasswordReset(service, content?.link?.split("/reset/")[1] ?? "")).toMatchObject({
    userId: people.viewer.id,
  });
});

it("nobody makes a link for a user who has permissions that they lack, or who is suspended", {
  meta: { proves: ["onboarding.reset.admin", "decision.app.no-escalation"] },
}, async () => {
  const name = "People managers";
  await boss.run(operations.createGroup, { name, capabilities: ["settings.members"] });
  const manager = callerOf(world, await world.session(await addPerson(world, name)));
  expect(await outcomeOf(manager.run(operations.createPasswordLink, { id: people.admin.id }))).toBe("forbidden");
  const person = await addPerson(world, "Members");
  const { link } = await boss.run(operations.createPasswordLink, { id: person.id });
  await boss.run(operations.suspendUser, { id: person.id });
  expect(await use(link)).toBe(false);
  expect(await outcomeOf(boss.run(operations.createPasswordLink, { id: person.id }))).toBe("conflict");
});
