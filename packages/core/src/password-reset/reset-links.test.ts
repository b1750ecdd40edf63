import { hashPassword, sealer } from "@kb/auth";
import { addPerson, callerOf, outcomeOf, testSecret } from "@kb/core/testing";
import { newId } from "@kb/db";
import { testClock } from "@kb/testing";
import { expect, it } from "vitest";
import { mailResetLinks, operations, requestPasswordReset, setPasswordByLink } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { service, teamId, people } = world;
const { client } = service.database;
const mail = { sealer: sealer(testSecret, "mails") };
const session = await world.session(people.admin);
const boss = callerOf(world, session);
const sender = callerOf({ ...world, service: { ...service, mail } }, session);
const password = "a password of a length";
const passwordHash = await hashPassword(password);

const use = (link: string | null) =>
  setPasswordByLink(service, {
    token: link?.split("/reset/")[1] ?? "",
    password: "another password of a length",
    address: "203.0.113.1",
    requestId: "request",
  });
const personWithPassword = async (group = "Members") => {
  const person = await addPerson(world, group);
  await client.user.update({ where: { teamId_id: { teamId, id: person.id } }, data: { passwordHash } });
  return person;
};
const linkFor = async (id: string, maker = boss) => (await maker.run(operations.createPasswordLink, { id })).link;
const ask = async (email: string): Promise<void> => {
  await requestPasswordReset(service, mail, { email, address: "203.0.113.1", requestId: "request" });
  await mailResetLinks({ ...service, mail }, 10);
};
const mailsTo = (recipient: string) => client.mail.count({ where: { teamId, recipient } });

it("a link ends when its user changes the password, when an admin sets it, and for good when they are suspended", {
  meta: { proves: ["onboarding.reset.link"] },
}, async () => {
  const changing = await personWithPassword();
  const changed = await linkFor(changing.id);
  const own = callerOf(world, await world.session(changing));
  await own.run(operations.changePassword, { currentPassword: password, newPassword: "yet another long password" });
  expect(await use(changed)).toBe(false);

  const person = await personWithPassword();
  const reset = await linkFor(person.id);
  await boss.run(operations.resetPassword, { id: person.id });
  expect(await use(reset)).toBe(false);

  const suspended = await linkFor(person.id);
  await boss.run(operations.suspendUser, { id: person.id });
  await boss.run(operations.unsuspendUser, { id: person.id });
  expect(await use(suspended)).toBe(false);
});

it("nobody makes a link for themselves, which would replace a password that they need not know", {
  meta: { proves: ["onboarding.reset.admin"] },
}, async () => {
  expect(await outcomeOf(linkFor(people.admin.id))).toBe("conflict");
});

it("a link ends with the rights of the admin who made it: suspended, demoted, or below its user", {
  meta: { proves: ["onboarding.reset.maker", "decision.app.no-escalation"] },
}, async () => {
  const person = await personWithPassword();
  const maker = await addPerson(world, "Admins");
  const linkOfMaker = async () => linkFor(person.id, callerOf(world, await world.session(maker)));
  const bySuspended = await linkOfMaker();
  await boss.run(operations.suspendUser, { id: maker.id });
  expect(await use(bySuspended)).toBe(false);
  await boss.run(operations.unsuspendUser, { id: maker.id });
  expect(await use(bySuspended)).toBe(true);

  const byDemoted = await linkOfMaker();
  const managers = await boss.run(operations.createGroup, {
    name: `People managers ${newId()}`,
    capabilities: ["settings.members"],
  });
  await boss.run(operations.setUserGroups, { id: person.id, groupIds: [] });
  await boss.run(operations.setUserGroups, { id: maker.id, groupIds: [] });
  expect(await use(byDemoted)).toBe(false);
  await boss.run(operations.setUserGroups, { id: maker.id, groupIds: [managers.id] });
  const { groups } = await boss.run(operations.setUserGroups, {
    id: person.id,
    groupIds: [(await client.group.findUniqueOrThrow({ where: { teamId_builtIn: { teamId, builtIn: "admins" } } })).id],
  });
  expect(groups).toHaveLength(1);
  expect(await use(byDemoted)).toBe(false);
});

it("requests for a forgotten password keep no admin from writing to a person, and nobody from asking an hour later", {
  meta: { proves: ["onboarding.mail.limit"] },
}, async () => {
  const { id, email } = await personWithPassword();
  for (let request = 0; request < 6; request += 1) await ask(email);
  expect(await mailsTo(email)).toBe(5);
  for (let mailed = 0; mailed < 5; mailed += 1) await sender.run(operations.createPasswordLink, { id });
  expect(await outcomeOf(sender.run(operations.createPasswordLink, { id }))).toBe("rate_limited");
  expect(await mailsTo(email)).toBe(10);
  clock.advance(60 * 60 * 1000);
  await ask(email);
  expect(await mailsTo(email)).toBe(11);
});

it("200 requests for forgotten passwords within an hour leave each person one link, and end no mail of an admin", {
  meta: { proves: ["onboarding.mail.limit"] },
}, async () => {
  clock.advance(60 * 60 * 1000);
  const { id, email } = await personWithPassword();
  const now = clock.now();
  await client.mail.createMany({
    data: Array.from({ length: 200 }, () => ({
      teamId,
      id: newId(),
      kind: "password_reset",
      recipient: `${newId()}@example.org`,
      language: "en",
      facts: { team: "Example" },
      nextAttemptAt: now,
      createdAt: now,
      expiresAt: now,
    })),
  });
  for (let request = 0; request < 3; request += 1) await ask(email);
  expect(await mailsTo(email)).toBe(1);
  await sender.run(operations.createPasswordLink, { id });
  expect(await mailsTo(email)).toBe(2);
});

it("a name with line breaks is one line in a mail", { meta: { proves: ["onboarding.mail.sent"] } }, async () => {
  const { id, email } = await personWithPassword();
  await client.team.update({ where: { id: teamId }, data: { name: "One\r\n\r\nSubject:  two" } });
  await sender.run(operations.createPasswordLink, { id });
  const [row] = await client.mail.findMany({ where: { teamId, recipient: email } });
  expect(row?.facts).toEqual({ team: "One Subject: two" });
});
