import { sealer } from "@kb/auth";
import { addPerson, callerOf, outcomeOf, testSecret } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { acceptInvitation, findInvitation, operations } from "../index.ts";
import { mailContentOf } from "../mail/mail-content.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { client } = world.service.database;
const { teamId, people } = world;
const mail = { sealer: sealer(testSecret, "mails") };
const session = await world.session(people.admin);
const boss = callerOf(world, session);
const day = 24 * 60 * 60 * 1000;
const password = "a password of a length";

const address = (): string => `${newId()}@example.org`;
const invite = async (input: object = {}, caller = boss) => {
  const { invitations } = await caller.run(operations.createInvitations, { emails: [address()], ...input });
  const [invitation] = invitations;
  if (invitation === undefined) throw new Error("nobody was invited");
  return { ...invitation, token: invitation.link?.split("/join/")[1] ?? "" };
};
const accept = (token: string, given: object = {}) =>
  acceptInvitation(world.service, {
    token,
    name: "Ada",
    password,
    language: "en",
    address: "203.0.113.1",
    requestId: "request",
    ...given,
  });
const groupId = async (builtIn: string): Promise<string> =>
  (await client.group.findUniqueOrThrow({ where: { teamId_builtIn: { teamId, builtIn } } })).id;

describe("invitations", () => {
  it("an accepted invitation makes a member of its groups, with their own password, language and session", {
    meta: { proves: ["onboarding.invitation.create", "onboarding.invitation.once"] },
  }, async () => {
    const editors = await groupId("editors");
    const { token, email, groups, expiresAt } = await invite({ groupIds: [editors] });
    expect(groups).toEqual([{ id: editors, name: "Editors" }]);
    expect(Date.parse(expiresAt) - clock.now().getTime()).toBe(7 * day);
    const team = await client.team.findUniqueOrThrow({ where: { id: teamId } });
    expect(await findInvitation(world.service, token)).toMatchObject({ email, team: team.name });
    const session = await accept(token, { name: "  Ada  ", language: "ar" });
    expect(session !== null && "token" in session ? session.token : "").toMatch(/^[\w-]{43}$/);
    const user = await client.user.findFirstOrThrow({ where: { teamId, email }, include: { memberships: true } });
    expect(user).toMatchObject({ teamId, name: "Ada", language: "ar", memberships: [{ groupId: editors }] });
    expect(await accept(token)).toBeNull();
    const entries = await client.auditEntry.findMany({
      where: { teamId, userId: user.id },
      orderBy: { action: "asc" },
    });
    expect(entries.map(({ action, outcome, targetId }) => [action, outcome, targetId])).toEqual([
      ["invitations.accept", "success", user.id],
      ["session.login", "success", user.id],
    ]);
  });

  it("of 50 acceptances at once one succeeds, and of two invitations to one address in two teams one", {
    meta: { proves: ["onboarding.invitation.once"] },
  }, async () => {
    const { token, email } = await invite();
    const results = await Promise.all(Array.from({ length: 50 }, (_, n) => accept(token, { name: `Ada ${n}` })));
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    expect(await client.user.count({ where: { teamId, email } })).toBe(1);

    const shared = address();
    const stranger = callerOf(world, await world.session(people.outsider));
    const tokens = [(await invite({ emails: [shared] })).token, (await invite({ emails: [shared] }, stranger)).token];
    const outcomes = await Promise.all(tokens.map((each) => outcomeOf(accept(each))));
    expect(outcomes.sort()).toEqual(["conflict", "done"]);
  });

  it("a token is stored only as a hash, and a changed, foreign or malformed one is unknown", {
    meta: { proves: ["onboarding.invitation.once"] },
  }, async () => {
    const { token } = await invite();
    const [{ rows } = { rows: "" }] = await world.service.database.acrossTeams.rows<{ rows: string }>(
      sql`SELECT (SELECT jsonb_agg(i)::text FROM invitations i) || COALESCE((SELECT jsonb_agg(m)::text FROM mails m), '') AS rows`,
    );
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(Buffer.from(token).toString("hex"));
    const other = `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}`;
    for (const unknown of [other, `${token}x`, "", "../x", "a\0b"]) expect(await accept(unknown)).toBeNull();
    expect(await accept(token)).not.toBeNull();
  });

  it("an invitation ends after seven days; it is then listed as expired, and can be sent again with a new link", {
    meta: { proves: ["onboarding.invitation.once", "onboarding.invitation.manage"] },
  }, async () => {
    const { id, token, email } = await invite();
    clock.advance(7 * day);
    expect(await accept(token)).toBeNull();
    const list = await boss.run(operations.listInvitations, { limit: 100 });
    expect(list.data.find((each) => each.id === id)).toMatchObject({ email, expired: true, mail: null });
    const again = await boss.run(operations.resendInvitation, { id });
    expect(again).toMatchObject({ id, email, expired: false });
    expect(await accept(token)).toBeNull();
    expect(await accept(again.link?.split("/join/")[1] ?? "")).not.toBeNull();
    expect(await outcomeOf(boss.run(operations.resendInvitation, { id }))).toBe("not_found");
  });

  it("a revoked invitation, and one that a newer one of its address replaces, stop working at once", {
    meta: { proves: ["onboarding.invitation.manage"] },
  }, async () => {
    const revoked = await invite();
    await boss.run(operations.revokeInvitation, { id: revoked.id });
    expect(await accept(revoked.token)).toBeNull();
    expect(await outcomeOf(boss.run(operations.revokeInvitation, { id: revoked.id }))).toBe("not_found");
    const first = await invite();
    const second = await invite({ emails: [first.email.toUpperCase()] });
    expect(await accept(first.token)).toBeNull();
    expect(await accept(second.token)).not.toBeNull();
  });

  it("an invitation ends with the rights of its sender: suspended, not allowed to invite, or without a permission that it gives", {
    meta: { proves: ["onboarding.invitation.inviter"] },
  }, async () => {
    const sender = await addPerson(world, "Admins");
    const caller = callerOf(world, await world.session(sender));
    const admins = await groupId("admins");
    const { token: suspended } = await invite({}, caller);
    await boss.run(operations.suspendUser, { id: sender.id });
    expect(await findInvitation(world.service, suspended)).toBeNull();
    expect(await accept(suspended)).toBeNull();
    await boss.run(operations.unsuspendUser, { id: sender.id });

    const again = callerOf(world, await world.session(sender));
    const { token: demoted } = await invite({}, again);
    const { token: powerful } = await invite({ groupIds: [admins] }, again);
    const inviters = await boss.run(operations.createGroup, {
      name: `Inviters ${newId()}`,
      capabilities: [
        "settings.members",
        "document.read",
        "export",
        "document.create",
        "document.edit",
        "tag.create",
        "developer.api_keys",
      ],
    });
    await boss.run(operations.setUserGroups, { id: sender.id, groupIds: [inviters.id] });
    expect(await accept(powerful)).toBeNull();
    // It stays in the list, where somebody with the permissions can send it again.
    expect(
      await client.invitation.count({
        where: { teamId, createdById: sender.id, groups: { some: { groupId: admins } } },
      }),
    ).toBe(1);
    await boss.run(operations.setUserGroups, { id: sender.id, groupIds: [] });
    expect(await accept(demoted)).toBeNull();
  });

  it("an invitation to no group, or to groups that are gone, makes a user without a group", {
    meta: { proves: ["onboarding.invitation.create"] },
  }, async () => {
    const gone = await boss.run(operations.createGroup, { name: `Gone ${newId()}`, capabilities: [] });
    const invitations = [await invite({ groupIds: [] }), await invite({ groupIds: [gone.id] })];
    await boss.run(operations.deleteGroup, { id: gone.id });
    for (const { token, email } of invitations) {
      expect(await accept(token)).not.toBeNull();
      expect(await client.membership.count({ where: { teamId, user: { email } } })).toBe(0);
    }
  });

  it("nobody invites to a group whose permissions they lack, to a group of another team, or without settings.members", {
    meta: { proves: ["onboarding.invitation.create"] },
  }, async () => {
    const inviters = await boss.run(operations.createGroup, {
      name: `Inviters ${newId()}`,
      capabilities: ["settings.members"],
    });
    const person = await addPerson(world, inviters.name);
    const caller = callerOf(world, await world.session(person));
    expect(await outcomeOf(invite({ groupIds: [await groupId("admins")] }, caller))).toBe("forbidden");
    expect(await outcomeOf(invite({ groupIds: [newId()] }))).toBe("not_found");
    const editor = callerOf(world, await world.session(people.editor));
    expect(await outcomeOf(invite({}, editor))).toBe("forbidden");
  });

  it("many are invited at once; members are named and not invited", {
    meta: { proves: ["onboarding.invitation.create"] },
  }, async () => {
    const emails = [address(), address(), people.viewer.email, address()];
    const result = await boss.run(operations.createInvitations, { emails: [...emails, emails[0]] });
    expect(result.members).toEqual([people.viewer.email]);
    expect(result.invitations.map(({ email }) => email)).toEqual(
      emails.filter((email) => email !== people.viewer.email).sort(),
    );
    expect(new Set(result.invitations.map(({ link }) => link)).size).toBe(3);
    const onlyMembers = await boss.run(operations.createInvitations, { emails: [people.viewer.email] });
    expect(onlyMembers).toEqual({ invitations: [], members: [people.viewer.email] });
    expect(await outcomeOf(boss.run(operations.createInvitations, { emails: [] }))).toBe("validation_error");
    const tooMany = Array.from({ length: 101 }, address);
    expect(await outcomeOf(boss.run(operations.createInvitations, { emails: tooMany }))).toBe("validation_error");
  });

  it.each([
    ["a common password", { password: "iloveyou1" }, /leaked/],
    ["a short password", { password: "short" }, /8 characters/],
    ["an empty name", { name: " " }, /empty/],
  ])(
    "%s is refused with the reason, and the invitation stays open",
    {
      meta: { proves: ["onboarding.password.weak"] },
    },
    async (_, given, reason) => {
      const { token } = await invite();
      await expect(accept(token, given)).rejects.toMatchObject({ code: "validation_error", message: reason });
      expect(await accept(token)).not.toBeNull();
    },
  );
});

describe("the mails of invitations", () => {
  const sender = callerOf({ ...world, service: { ...world.service, mail } }, session);
  const inviteByMail = async (input: object = {}) => {
    const { invitations } = await sender.run(operations.createInvitations, { emails: [address()], ...input });
    const [invitation] = invitations;
    if (invitation === undefined) throw new Error("nobody was invited");
    return invitation;
  };
  const mailsOf = (subjectId: string) =>
    client.mail.findMany({ where: { teamId, subjectId }, orderBy: { createdAt: "asc" } });
  const linkOf = async (subjectId: string): Promise<string | null | undefined> => {
    const row = (await mailsOf(subjectId)).at(-1);
    return row === undefined
      ? undefined
      : mailContentOf({ ...row, obsolete: false }, mail, "https://wiki.example.com")?.link;
  };

  it("with a mail server the answer contains no link, and the mail a sealed one", {
    meta: { proves: ["onboarding.mail.sealed", "onboarding.invitation.create"] },
  }, async () => {
    const { id, link, mail: state } = await inviteByMail({ language: "ar" });
    expect([link, state]).toEqual([null, "pending"]);
    const [row] = await mailsOf(id);
    expect(row).toMatchObject({ kind: "invitation", language: "ar", facts: { by: people.admin.name } });
    const sent = await linkOf(id);
    expect(sent).toMatch(/^https:\/\/wiki\.example\.com\/join\/[\w-]{43}$/);
    const token = sent?.split("/join/")[1] ?? "";
    expect(Buffer.from(row?.token ?? []).toString("latin1")).not.toContain(token);
    expect(await accept(token)).not.toBeNull();
    expect(await mailsOf(id)).toMatchObject([{ status: "withdrawn", token: null }]);
  });

  it("sending again and revoking withdraw the mail that waits", {
    meta: { proves: ["onboarding.mail.sealed", "onboarding.invitation.manage"] },
  }, async () => {
    const { id } = await inviteByMail();
    clock.advance(1_000);
    expect(await sender.run(operations.resendInvitation, { id })).toMatchObject({ id, link: null, mail: "pending" });
    expect((await mailsOf(id)).map(({ status }) => status)).toEqual(["withdrawn", "pending"]);
    await sender.run(operations.revokeInvitation, { id });
    expect(await mailsOf(id)).toMatchObject([
      { status: "withdrawn", token: null },
      { status: "withdrawn", token: null },
    ]);
  });

  it("at most five mails a day go to one address, and 200 an hour leave a team", {
    meta: { proves: ["onboarding.mail.limit"] },
  }, async () => {
    clock.advance(2 * day);
    const { id } = await inviteByMail();
    const resend = () => outcomeOf(sender.run(operations.resendInvitation, { id }));
    const results = await Promise.all(Array.from({ length: 12 }, resend));
    expect(results.filter((result) => result === "done")).toHaveLength(4);
    expect(results.filter((result) => result === "rate_limited")).toHaveLength(8);
    clock.advance(day);
    expect(await resend()).toBe("done");
    const batch = () => outcomeOf(inviteByMail({ emails: Array.from({ length: 100 }, address) }));
    expect([await batch(), await batch()]).toEqual(["done", "rate_limited"]);
    clock.advance(60 * 60 * 1000);
    expect(await batch()).toBe("done");
  });
});
