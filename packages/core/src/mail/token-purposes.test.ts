import { createLinkToken, hashLinkToken } from "@kb/auth";
import { addPerson, callerOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import { createLogInLink } from "../admin/index.ts";
import {
  acceptInvitation,
  findInvitation,
  findLogInLink,
  logInByLink,
  operations,
  setPasswordByLink,
} from "../index.ts";
import { findPasswordReset } from "../password-reset/set-password-by-link.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const { service, people, teamId } = world;
const boss = callerOf(world, await world.session(people.admin));
const facts = { address: "203.0.113.1", requestId: "request" };
const password = "a password of a length";
const tokenOf = (link: string | null | undefined) => link?.split("/").at(-1) ?? "";

it("the token of each kind of link is unknown to the pages of every other kind, which use none up", {
  meta: { proves: ["onboarding.links.purpose"] },
}, async () => {
  const { id, email } = await addPerson(world, "Members");
  const invited = await boss.run(operations.createInvitations, { emails: ["new@example.com"] });
  const tokens = {
    invitation: tokenOf(invited.invitations[0]?.link),
    password_reset: tokenOf((await boss.run(operations.createPasswordLink, { id })).link),
    log_in: tokenOf((await createLogInLink(service, email)).link),
  };
  const find = { invitation: findInvitation, password_reset: findPasswordReset, log_in: findLogInLink };
  const use = {
    invitation: (token: string) => acceptInvitation(service, { ...facts, token, name: "N", password, language: "en" }),
    password_reset: async (token: string) => (await setPasswordByLink(service, { ...facts, token, password })) || null,
    log_in: (token: string) => logInByLink(service, { ...facts, token }),
  };
  const kinds = ["invitation", "password_reset", "log_in"] as const;
  const others = kinds.flatMap((kind) =>
    kinds.filter((other) => other !== kind).map((other) => [kind, other] as const),
  );
  for (const [kind, page] of others) {
    const used = [await find[page](service, tokens[kind]), await use[page](tokens[kind])];
    expect([kind, page, ...used]).toEqual([kind, page, null, null]);
  }
  for (const kind of kinds) expect([kind, (await find[kind](service, tokens[kind])) === null]).toEqual([kind, false]);
});

it("the hash of a token is another one for each purpose", { meta: { proves: ["onboarding.links.purpose"] } }, () => {
  const purposes = [
    "invitation",
    "password_reset",
    "setup",
    "recovery",
    "log_in",
    "email_change_old",
    "email_change_new",
  ] as const;
  const token = createLinkToken();
  const hashes = purposes.map((purpose) => Buffer.from(hashLinkToken(purpose, token)).toString("hex"));
  expect(new Set(hashes).size).toBe(purposes.length);
});

it("a mail holds the names of its team and its sender, and no text of documents", {
  meta: { proves: ["onboarding.mail.content"] },
}, async () => {
  const secret = "a sentence of a document that nobody mails";
  await boss.create({ title: secret, text: secret, publish: true });
  const { seal, open } = {
    seal: (plain: Uint8Array) => new Uint8Array(plain),
    open: (sealed: Uint8Array) => new Uint8Array(sealed),
  };
  const sender = callerOf(
    { ...world, service: { ...service, mail: { sealer: { seal, open } } } },
    await world.session(people.admin),
  );
  const { id } = await addPerson(world, "Members");
  await sender.run(operations.createPasswordLink, { id });
  await sender.run(operations.createInvitations, { emails: ["another@example.com"] });
  const mails = await service.database.client.mail.findMany({ where: { teamId } });
  expect(mails.length).toBeGreaterThan(1);
  for (const { facts: told } of mails) {
    expect(["team", "by"]).toEqual(expect.arrayContaining(Object.keys(Object(told))));
    expect(JSON.stringify(told)).not.toContain(secret);
  }
});
