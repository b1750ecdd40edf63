import { sealer } from "@kb/auth";
import { addPerson, callerOf, testSecret } from "@kb/core/testing";
import { expect, it } from "vitest";
import { mailResetLinks, operations, requestPasswordReset } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";
import { resealMails } from "./reseal.ts";

const { world } = await testWorld();
const { service, teamId, people } = world;
const present = sealer("another secret of the same installation, 2027", "mails");
const previous = sealer(testSecret, "mails");

it("waiting mails and requests are sealed under the new secret, and sent without the previous one", {
  meta: { proves: ["onboarding.mail.sealed"] },
}, async () => {
  const sender = callerOf(
    { ...world, service: { ...service, mail: { sealer: previous } } },
    await world.session(people.admin),
  );
  const { id } = await addPerson(world, "Members");
  await sender.run(operations.createPasswordLink, { id });
  const { email } = people.member;
  await service.database.client.user.update({
    where: { teamId_id: { teamId, id: people.member.id } },
    data: { passwordHash: "a hash" },
  });
  await requestPasswordReset(service, { sealer: previous }, { email, address: "203.0.113.1", requestId: "request" });
  const { client } = service.database;
  const tokenOf = async () =>
    (await client.mail.findFirstOrThrow({ where: { teamId, userId: id } })).token ?? new Uint8Array();
  const token = previous.open(await tokenOf());
  const sealers = { present, previous };
  expect(await resealMails(service.database, sealers)).toEqual({ resealed: 2, current: 0, unreadable: 0 });
  expect(present.open(await tokenOf())).toEqual(token);
  expect(await resealMails(service.database, sealers)).toEqual({ resealed: 0, current: 2, unreadable: 0 });
  expect(await resealMails(service.database, { present: previous, previous })).toMatchObject({ unreadable: 2 });
  expect(await mailResetLinks({ ...service, mail: { sealer: present } }, 10)).toBe(1);
  expect(await client.mail.count({ where: { teamId, recipient: email } })).toBe(1);
});
