import { totpCode } from "@kb/auth/testing";
import {
  addPerson,
  callerOf,
  giveSecondFactor,
  groupIdsOf,
  outcomeOf,
  type Person,
  registerApp,
  sessionCallerOf,
  type TestCaller,
  testChallenge,
  testRedirectUri,
} from "@kb/core/testing";
import { newId } from "@kb/db";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { flushAudit } from "../audit/queue.ts";
import { admin, invoke, operations } from "../index.ts";
import type { Operation } from "../operation.ts";
import { checkedGuesses } from "../testing/checked-guesses.ts";
import { addPasskeyBy, subjectPasskey } from "../testing/passkeys.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { service, teamId } = world;
const { client } = service.database;
const password = "a password of a length";
const minutes = (count: number): void => clock.advance(count * 60_000);

async function newAdmin(withPassword = true): Promise<Person> {
  const person = await addPerson(world, "Admins");
  if (withPassword) await admin.setPassword(service, person.email, password);
  return person;
}

/** Logs a person in; the proof of the log-in ages with the clock. */
const loggedIn = async (person: Person): Promise<TestCaller> =>
  callerOf(world, await world.session(person), { isFresh: false });

const key = { name: "Key", scopes: ["read"] };
const groups = await groupIdsOf(world);

type Change = { readonly name: string; readonly by: (caller: TestCaller) => Promise<string> };

/** The operations that only a logged-in user may call and that ask for no fresh proof, each with its reason. */
const withoutFreshProof: Readonly<Record<string, string>> = {
  "apiKeys.revoke": "only takes access away",
  "attachments.delete": "everyday work",
  "auth.changePassword": "asks for the current password",
  "auth.emailChange.cancel": "gives no access",
  "auth.passkeys.challenge": "asks for a proof",
  "auth.passkeys.rename": "gives no access",
  "auth.picture.remove": "gives no access",
  "auth.picture.set": "gives no access",
  "auth.prove": "is the proof",
  "auth.secondFactor.confirm": "asks for a code of the second factor that it confirms",
  "auth.secondFactor.remove": "asks for a code",
  "auth.secondFactor.renewCodes": "asks for a code, or a fresh proof of those who have passkeys only",
  "auth.secondFactor.start": "asks for the password, a code or a fresh log-in",
  "auth.sessions.revoke": "only takes access away",
  "auth.updateProfile": "gives no access",
  "channelTokens.revoke": "only takes access away",
  "channels.delete": "only takes access away",
  "collections.delete": "everyday work, undone from the trash",
  "documents.destroy": "gives no access",
  "documents.restrictedTags.set": "everyday work",
  "imports.continue": "everyday work",
  "imports.create": "everyday work",
  "imports.stop": "everyday work",
  "invitations.revoke": "only takes access away",
  "live.open": "everyday work",
  "live.push": "everyday work",
  "oauth.apps.ask": "gives no access",
  "oauth.apps.refuse": "only takes access away",
  "oauth.apps.revoke": "only takes access away",
  "stars.create": "everyday work",
  "stars.delete": "everyday work",
  "tags.delete": "gives no access",
  "tags.update": "everyday work",
  "team.removeLogo": "gives no access",
  "team.setLogo": "gives no access",
  "team.update": "asks for a proof in the call, for its two switches",
  "trash.empty": "gives no access",
  "users.removePicture": "gives no access",
  "webhooks.delete": "only takes access away",
  "webhooks.redeliver": "sends an event again to the address that it was for",
  "webhooks.test": "sends no data of the team",
};

/** A call of an operation with an input that is right. */
const change = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  input: object,
): Change => ({ name: operation.name, by: (caller) => outcomeOf(caller.run(operation, input)) });

/** A call that needs a passkey, which is made only after the proof: with it, the password would prove nothing. */
const ofPasskey = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  right: (caller: TestCaller) => Promise<unknown>,
): Change => ({
  name: operation.name,
  by: async (caller) => {
    const early = await outcomeOf(caller.run(operation, {}));
    return early === "proof_required" ? early : outcomeOf(right(caller));
  },
});

/** Every operation that gives lasting access or sends data out of the team. */
async function changes(): Promise<readonly Change[]> {
  const boss = world.people.admin.actor;
  const { id } = await addPerson(world, "Members");
  const suspended = await addPerson(world, "Members");
  const moving = await addPerson(world, "Members");
  const session = await sessionCallerOf(world, moving);
  await session.run(operations.startEmailChange, { email: `${newId()}@example.org` });
  await admin.suspendUser(service, suspended.email);
  const ownKey = (await admin.createApiKey(service, { userEmail: world.people.admin.email, scopes: ["read"] })).id;
  const system = { ...boss, credential: { kind: "system", id: "test", name: "Test" } } as const;
  const made = await invoke(service, operations.createGroup, system, { name: newId(), capabilities: [] });
  const invited = await admin.inviteUsers(service, { emails: [`${newId()}@example.org`], team: teamId });
  const collectionId = world.collections.open;
  const subscription = { url: "https://hooks.example.com/proof", events: ["document.*"] };
  const webhook = await invoke(service, operations.createWebhook, system, subscription);
  const channel = await invoke(service, operations.createChannel, system, {
    name: newId(),
    collectionIds: [collectionId],
  });
  const { tag } = await invoke(service, operations.restrictTag, system, { name: newId(), userIds: [boss.userId] });
  await client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
  const binding = { redirectUri: testRedirectUri, codeChallenge: testChallenge, resource: `${service.appUrl}/api/mcp` };
  const shown = { clientId: await registerApp(world), name: null, redirectUris: [testRedirectUri] };
  const request = { teamId, id: newId(), ...shown, userId: moving.id, createdAt: new Date() };
  await client.appRequest.create({ data: request });
  return [
    change(operations.createApiKey, key),
    change(operations.updateApiKey, { id: ownKey, name: "Renamed" }),
    change(operations.inviteUser, { email: `${newId()}@example.org` }),
    change(operations.updateUser, { id, name: "Renamed" }),
    change(operations.setUserGroups, { id, groupIds: [groups.viewers] }),
    change(operations.createPasswordLink, { id }),
    change(operations.resetPassword, { id }),
    change(operations.resetSecondFactor, { id }),
    change(operations.suspendUser, { id }),
    change(operations.unsuspendUser, { id: suspended.id }),
    change(operations.createInvitations, { emails: [`${newId()}@example.org`] }),
    change(operations.resendInvitation, { id: invited.invitations[0]?.id }),
    change(operations.createGroup, { name: newId(), capabilities: [] }),
    change(operations.updateGroup, { id: made.id, name: newId() }),
    change(operations.deleteGroup, { id: made.id }),
    change(operations.setGrant, { id: collectionId, userId: world.people.viewer.id, level: "read" }),
    change(operations.removeGrant, { id: collectionId, userId: world.people.viewer.id }),
    change(operations.setDefaultAccess, { id: collectionId, defaultAccess: "read" }),
    change(operations.authorizeApp, { ...shown, ...binding, scopes: ["read"] }),
    change(operations.approveApp, { id: request.id }),
    change(operations.createWebhook, subscription),
    change(operations.updateWebhook, { id: webhook.id, url: "https://hooks.example.com/elsewhere" }),
    change(operations.rotateWebhookSecret, { id: webhook.id }),
    change(operations.createChannel, { name: newId(), collectionIds: [collectionId] }),
    change(operations.updateChannel, { id: channel.id, format: { html: true } }),
    change(operations.createChannelToken, { channelId: channel.id, name: "Token" }),
    change(operations.restrictTag, { id: tag.id, userIds: [world.people.viewer.id] }),
    change(operations.createApiKeyByKey, key),
    change(operations.createUserByKey, { email: `${newId()}@example.org` }),
    change(operations.startEmailChange, { email: `${newId()}@example.org` }),
    change(operations.createEmailChangeLinks, { id: moving.id }),
    change(operations.startPasskey, {}),
    ofPasskey(operations.addPasskey, async (caller) => addPasskeyBy(world, caller)),
    ofPasskey(operations.removePasskey, async (caller) =>
      caller.run(operations.removePasskey, { id: await subjectPasskey(world) }),
    ),
    change(operations.createGroupByKey, { name: newId(), capabilities: [] }),
  ];
}

describe("access and what leaves the team after a log-in", () => {
  it("are changed for 15 minutes; then each operation asks for a proof and changes nothing before it", {
    meta: { proves: ["onboarding.proof.asked"] },
  }, async () => {
    await admin.setPassword(service, world.people.admin.email, password);
    const list = await changes();
    const caller = await loggedIn(world.people.admin);
    minutes(15);
    for (const { name, by } of list) expect([name, await by(caller)]).toEqual([name, "proof_required"]);
    await caller.run(operations.proveOwner, { proof: password });
    for (const { name, by } of list) expect([name, await by(caller)]).toEqual([name, "done"]);
    minutes(15);
    expect(await outcomeOf(caller.run(operations.createApiKey, key))).toBe("proof_required");
  });

  it("those that need a proof are exactly these", { meta: { proves: ["onboarding.proof.asked"] } }, async () => {
    const asking = Object.values(operations).flatMap(({ name, freshProof }) => (freshProof === true ? [name] : []));
    expect(asking.sort()).toEqual((await changes()).map(({ name }) => name).sort());
  });

  it("every other change that only a logged-in user may make has a reason to ask for none", {
    meta: { proves: ["onboarding.proof.asked"] },
  }, () => {
    const silent = Object.values(operations).flatMap(({ name, sessionOnly, freshProof, changes: isChange }) =>
      sessionOnly === true && isChange && freshProof !== true ? [name] : [],
    );
    expect(silent.sort()).toEqual(Object.keys(withoutFreshProof).sort());
  });

  it("the switches of a team ask for a proof; its name does not", {
    meta: { proves: ["onboarding.proof.asked"] },
  }, async () => {
    const person = await newAdmin();
    const caller = await loggedIn(person);
    const { mcpEnabled } = await caller.run(operations.getTeam, {});
    minutes(15);
    expect(await outcomeOf(caller.run(operations.updateTeam, { name: "Renamed" }))).toBe("done");
    for (const input of [{ mcpEnabled: !mcpEnabled }, { secondFactorRequired: false }, { appApprovalRequired: true }]) {
      expect(await outcomeOf(caller.run(operations.updateTeam, { name: "Half", ...input }))).toBe("proof_required");
    }
    expect(await caller.run(operations.getTeam, {})).toMatchObject({ name: "Renamed", mcpEnabled });
    await caller.run(operations.proveOwner, { proof: password });
    expect(await outcomeOf(caller.run(operations.updateTeam, { mcpEnabled }))).toBe("done");
  });

  it("a proof counts in its own session only, and the command line needs none", {
    meta: { proves: ["onboarding.proof.asked"] },
  }, async () => {
    const person = await newAdmin();
    const caller = await loggedIn(person);
    const other = await loggedIn(person);
    minutes(20);
    const { until } = await caller.run(operations.proveOwner, { proof: password });
    expect(Date.parse(until) - clock.now().getTime()).toBe(15 * 60_000);
    expect(await outcomeOf(caller.run(operations.createApiKey, key))).toBe("done");
    expect(await outcomeOf(other.run(operations.createApiKey, key))).toBe("proof_required");
    await admin.createApiKey(service, { userEmail: person.email, scopes: ["read"] });
  });
});

describe("the proof", () => {
  it("is the password without a second factor; a wrong one proves nothing, and ten are the limit", {
    meta: { proves: ["onboarding.proof.kinds"] },
  }, async () => {
    const caller = await loggedIn(await newAdmin());
    minutes(20);
    const prove = (proof: string) => outcomeOf(caller.run(operations.proveOwner, { proof }));
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await prove("000000")).toBe("validation_error");
    expect(await prove(password)).toBe("rate_limited");
    expect(await outcomeOf(caller.run(operations.createApiKey, key))).toBe("proof_required");
  });

  it("is a code once there is a second factor, each works once, and the password is not enough", {
    meta: { proves: ["onboarding.proof.kinds"] },
  }, async () => {
    const person = await newAdmin();
    const { secret, recoveryCodes } = await giveSecondFactor(world, person);
    const session = await world.session(person);
    const caller = callerOf(world, session, { isFresh: false });
    const prove = (proof: string) => outcomeOf(caller.run(operations.proveOwner, { proof }));
    minutes(20);
    expect(await prove(password)).toBe("validation_error");
    const code = totpCode(secret, clock.now());
    expect(await prove(code)).toBe("done");
    expect(await prove(code)).toBe("validation_error");
    expect(await prove(recoveryCodes[0] ?? "")).toBe("done");
    const entries = await client.auditEntry.findMany({
      where: { teamId, targetId: person.id, action: "auth.prove", outcome: "success" },
      orderBy: { id: "asc" },
      select: { details: true },
    });
    expect(entries.map(({ details }) => details)).toMatchObject([{ method: "totp" }, { method: "recovery_code" }]);
  });

  it("is another log-in for somebody with neither, also for the set-up of a first second factor", {
    meta: { proves: ["onboarding.proof.kinds", "onboarding.second-factor.set-up"] },
  }, async () => {
    const person = await newAdmin(false);
    const caller = await loggedIn(person);
    const start = (by: typeof caller) => outcomeOf(by.run(operations.startSecondFactor, {}));
    expect(await outcomeOf(caller.run(operations.proveOwner, { proof: "" }))).toBe("conflict");
    expect(await start(caller)).toBe("done");
    minutes(15);
    expect(await outcomeOf(caller.run(operations.proveOwner, { proof: "" }))).toBe("proof_required");
    expect(await start(caller)).toBe("proof_required");
    expect(await outcomeOf(caller.run(operations.createApiKey, key))).toBe("proof_required");
    const again = await loggedIn(person);
    expect(await start(again)).toBe("done");
    expect(await outcomeOf(again.run(operations.createApiKey, key))).toBe("done");
  });

  it("keeps a stolen session from removing a second factor by way of another admin", {
    meta: { proves: ["onboarding.proof.asked"] },
  }, async () => {
    const victim = await newAdmin();
    await giveSecondFactor(world, victim);
    const stolen = await loggedIn(victim);
    minutes(20);
    const email = `${newId()}@example.org`;
    const accomplice = { email, password, groupIds: [groups.admins] };
    expect(await outcomeOf(stolen.run(operations.inviteUser, accomplice))).toBe("proof_required");
    expect(await outcomeOf(stolen.run(operations.createInvitations, { emails: [email] }))).toBe("proof_required");
    expect(await outcomeOf(stolen.run(operations.resetPassword, { id: world.people.admin.id }))).toBe("proof_required");
  });
});

/** Somebody who logged in an hour ago, and the outcomes of passwords that are typed in their session. */
async function anHourAgo() {
  const person = await newAdmin();
  const caller = await loggedIn(person);
  minutes(60);
  const prove = (proof: string) => outcomeOf(caller.run(operations.proveOwner, { proof }));
  const many = (count: number) => checkedGuesses(count, () => prove("not the password"));
  return { person, caller, prove, many };
}

describe("the number of wrong passwords in a session", () => {
  it("is twenty, and then ten a day: in two days at most forty are checked", {
    meta: { proves: ["onboarding.proof.guesses"] },
    // Each password is checked by a slow hash.
    timeout: 60_000,
  }, async () => {
    const { many } = await anHourAgo();
    let checked = 0;
    for (let hour = 0; hour < 48; hour += 1) {
      checked += await many(hour < 3 ? 11 : 1);
      minutes(60);
    }
    expect(checked).toBeGreaterThanOrEqual(38);
    expect(checked).toBeLessThanOrEqual(40);
  });

  it("counts those of many requests at once, and those of a change of the password", {
    meta: { proves: ["onboarding.proof.guesses"] },
  }, async () => {
    const { caller, prove, many } = await anHourAgo();
    const change = (currentPassword: string) =>
      outcomeOf(caller.run(operations.changePassword, { currentPassword, newPassword: "another password of mine" }));
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => change("not the password")));
    expect(outcomes.filter((outcome) => outcome === "validation_error")).toHaveLength(10);
    minutes(16);
    expect(await many(11)).toBe(10);
    minutes(16);
    expect([await prove(password), await change(password)]).toEqual(["rate_limited", "rate_limited"]);
  });

  it("does not keep out the owner, who logs in again; the right password forgives the wrong ones", {
    meta: { proves: ["onboarding.proof.guesses"] },
  }, async () => {
    const { person, prove, many } = await anHourAgo();
    await many(10);
    minutes(16);
    await many(10);
    minutes(16);
    expect(await prove(password)).toBe("rate_limited");
    const owner = await loggedIn(person);
    expect(await outcomeOf(owner.run(operations.createApiKey, key))).toBe("done");
    expect(await outcomeOf(owner.run(operations.proveOwner, { proof: password }))).toBe("done");
    const where = { teamId_id: { teamId, id: person.id } };
    const select = { passwordGuesses: true, passwordGuessedAt: true };
    expect(await client.user.findUnique({ where, select })).toEqual({ passwordGuesses: 0, passwordGuessedAt: null });
    expect(await prove(password)).toBe("done");
  });

  it("is in the audit log, without what was typed", { meta: { proves: ["onboarding.proof.guesses"] } }, async () => {
    const { person, many } = await anHourAgo();
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
