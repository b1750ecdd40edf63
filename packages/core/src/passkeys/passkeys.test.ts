import { sealer } from "@kb/auth";
import { TestPasskey, totpCode } from "@kb/auth/testing";
import { addPerson, callerOf, giveSecondFactor, outcomeOf, type Person, testSecret } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { admin, flushAudit, operations } from "../index.ts";
import { addPasskeyBy, givePasskey } from "../testing/passkeys.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { service, teamId } = world;
const { client } = service.database;
const mailing = { ...world, service: { ...service, mail: { sealer: sealer(testSecret, "mails") } } };
const password = "a password of a length";
const minutes = (count: number): void => clock.advance(count * 60_000);

/** Somebody new who has a password and is logged in. The proof of the log-in ages with the clock. */
async function newPerson(group = "Members") {
  const person = await addPerson(world, group);
  await admin.setPassword(service, person.email, password);
  const session = await world.session(person);
  return { person, session, caller: callerOf(mailing, session, { isFresh: false }) };
}

type LoggedIn = Awaited<ReturnType<typeof newPerson>>;

const infoOf = ({ caller }: LoggedIn) => caller.run(operations.getSecondFactor, {});
const mailsTo = async ({ email: recipient }: Person) =>
  (await client.mail.findMany({ where: { teamId, recipient }, orderBy: { id: "asc" } })).map(({ kind, facts }) => [
    kind,
    facts,
  ]);
async function auditOf({ id: targetId }: Person, action: string) {
  await flushAudit({ database: service.database });
  return client.auditEntry.findMany({
    where: { teamId, targetId, action },
    orderBy: { id: "asc" },
    select: { outcome: true, details: true },
  });
}
/** Confirms with a passkey in a session. */
async function prove({ caller }: LoggedIn, passkey: TestPasskey, use: object = {}) {
  const { options } = await caller.run(operations.challengePasskey, {});
  return outcomeOf(
    caller.run(operations.proveOwner, { passkey: passkey.use({ challenge: options.challenge, ...use }) }),
  );
}

describe("adding a passkey", () => {
  it("needs a fresh proof; the first comes with recovery codes, ends other sessions, is audited and told by mail", {
    meta: { proves: ["onboarding.passkeys.manage", "onboarding.passkeys.second-factor"] },
  }, async () => {
    const somebody = await newPerson();
    const { person, caller } = somebody;
    const other = callerOf(world, await world.session(person));
    minutes(16);
    expect(await outcomeOf(caller.run(operations.startPasskey, {}))).toBe("proof_required");
    await caller.run(operations.proveOwner, { proof: password });
    const { recoveryCodes, id } = await addPasskeyBy(mailing, caller, "My phone");
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await outcomeOf(other.run(operations.getSession, {}))).toBe("authentication_required");
    expect(await infoOf(somebody)).toEqual({
      app: null,
      passkeys: 1,
      recoveryCodesLeft: 10,
      required: false,
      proof: "passkey",
    });
    const created = clock.now().toISOString();
    expect(await caller.run(operations.listPasskeys, {})).toEqual([
      { id, name: "My phone", synced: false, createdAt: created, lastUsedAt: null },
    ]);
    expect(await auditOf(person, "auth.passkeys.add")).toEqual([
      { outcome: "success", details: { fields: ["name", "credential"], passkey: id } },
    ]);
    expect(await mailsTo(person)).toEqual([["passkey_added", { team: expect.any(String), passkey: "My phone" }]]);
    const second = await addPasskeyBy(mailing, caller, "My key");
    expect(second.recoveryCodes).toEqual([]);
    expect((await infoOf(somebody)).passkeys).toBe(2);
  });

  it("is refused for an answer to another session, used, late, of another site, and for a passkey that is in use", {
    meta: { proves: ["onboarding.passkeys.challenge", "onboarding.passkeys.checked"] },
  }, async () => {
    const { caller, person } = await newPerson();
    const add = async (credential: object, by = caller) =>
      outcomeOf(by.run(operations.addPasskey, { name: "Key", credential }));
    const start = async () => (await caller.run(operations.startPasskey, {})).options;
    const made = () => new TestPasskey(service.appUrl);
    const foreign = await newPerson();
    const own = callerOf(world, await world.session(person));
    for (const by of [foreign.caller, own]) expect(await add(made().register(await start()), by)).toBe("not_found");
    const elsewhere = { ...(await start()), origin: "https://evil.example" };
    expect(await add(made().register(elsewhere))).toBe("validation_error");
    expect(await add(made().register({ ...(await start()), rpId: "evil.example" }))).toBe("validation_error");
    const late = await start();
    minutes(5);
    expect(await add(made().register(late))).toBe("not_found");
    const named = made().register(await start());
    expect(await add({ ...named, transports: ["usb\u0000"] })).toBe("validation_error");
    const options = await start();
    const uses = await Promise.all(Array.from({ length: 50 }, () => add(made().register(options))));
    expect(uses.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(uses.filter((outcome) => outcome === "not_found")).toHaveLength(49);
    const { passkey } = await givePasskey(world, foreign.person);
    expect(await add(passkey.register(await start()))).toBe("conflict");
    expect((await auditOf(person, "auth.passkeys.add")).some(({ outcome }) => outcome === "failed")).toBe(true);
  });

  it("refuses ways to reach it that are no words of WebAuthn, and stores those that a later browser names", async () => {
    const { caller } = await newPerson();
    const add = async (transports: unknown[]) => {
      const made = new TestPasskey(service.appUrl).register((await caller.run(operations.startPasskey, {})).options);
      return outcomeOf(caller.run(operations.addPasskey, { name: "Key", credential: { ...made, transports } }));
    };
    for (const bad of ["usb\0", "", "\ud800", "a".repeat(33), "<b>", 1, null]) {
      expect(await add([bad])).toBe("validation_error");
    }
    expect(await add(Array(11).fill("usb"))).toBe("validation_error");
    expect(await add(["smart-card", "hybrid", "new-way"])).toBe("done");
  });

  it("stops at twenty, also for many at once", { meta: { proves: ["onboarding.passkeys.manage"] } }, async () => {
    const somebody = await newPerson();
    const { caller } = somebody;
    const names = Array.from({ length: 22 }, (_, index) => `Key ${index}`);
    const outcomes = await Promise.all(names.map((name) => outcomeOf(addPasskeyBy(world, caller, name))));
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === "conflict")).toHaveLength(2);
  });

  it("is refused where browsers offer none", { meta: { proves: ["onboarding.passkeys.site"] } }, async () => {
    const { session } = await newPerson();
    const numbered = callerOf({ ...world, service: { ...service, appUrl: "http://127.0.0.1:3000" } }, session);
    await expect(numbered.run(operations.startPasskey, {})).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("set APP_URL"),
    });
  });
});

describe("a passkey as a proof", () => {
  it("is a fresh proof for 15 minutes, records its use, and is audited", {
    meta: { proves: ["onboarding.proof.kinds"] },
  }, async () => {
    const somebody = await newPerson();
    const { caller, person } = somebody;
    const { passkey } = await addPasskeyBy(world, caller);
    minutes(16);
    expect(await outcomeOf(caller.run(operations.startPasskey, {}))).toBe("proof_required");
    expect(await outcomeOf(caller.run(operations.proveOwner, { proof: password }))).toBe("validation_error");
    expect(await outcomeOf(caller.run(operations.proveOwner, {}))).toBe("validation_error");
    expect(await prove(somebody, passkey)).toBe("done");
    expect(await outcomeOf(caller.run(operations.startPasskey, {}))).toBe("done");
    const [listed] = await caller.run(operations.listPasskeys, {});
    expect(listed?.lastUsedAt).toBe(clock.now().toISOString());
    const proofs = (await auditOf(person, "auth.prove")).filter(({ outcome }) => outcome === "success");
    expect(proofs).toMatchObject([{ details: { method: "passkey" } }]);
  });

  it("is refused for a used challenge, in another session, of somebody else, and for another site; all are audited", {
    meta: { proves: ["onboarding.passkeys.challenge", "onboarding.passkeys.checked"] },
  }, async () => {
    const somebody = await newPerson();
    const { caller, person } = somebody;
    const { passkey } = await addPasskeyBy(world, caller);
    const foreign = await givePasskey(world, (await newPerson()).person);
    expect(await prove(somebody, foreign.passkey)).toBe("validation_error");
    expect(await prove(somebody, new TestPasskey(service.appUrl))).toBe("validation_error");
    expect(await prove(somebody, passkey, { origin: "https://evil.example" })).toBe("validation_error");
    expect(await prove(somebody, passkey, { rpId: "evil.example" })).toBe("validation_error");
    expect(await prove(somebody, passkey, { userHandle: "AAAA" })).toBe("validation_error");
    const reasons = (await auditOf(person, "auth.prove")).map(({ details }) => details);
    expect(reasons).toEqual(
      ["other", "unknown", "invalid", "invalid", "invalid"].map((reason) => ({ passkey: reason })),
    );
    const { options } = await caller.run(operations.challengePasskey, {});
    const elsewhere = callerOf(world, await world.session(person), { isFresh: false });
    const answer = passkey.use({ challenge: options.challenge });
    const send = (by: typeof caller) => outcomeOf(by.run(operations.proveOwner, { passkey: answer }));
    expect(await send(elsewhere)).toBe("validation_error");
    expect(await send(caller)).toBe("done");
    expect(await send(caller)).toBe("validation_error");
  });

  it("of 50 answers to one challenge, one is accepted", {
    meta: { proves: ["onboarding.passkeys.challenge"] },
  }, async () => {
    const { caller } = await newPerson();
    const { passkey } = await addPasskeyBy(world, caller);
    const { options } = await caller.run(operations.challengePasskey, {});
    const answers = Array.from({ length: 50 }, () => passkey.use({ challenge: options.challenge }));
    const outcomes = await Promise.all(
      answers.map((answer) => outcomeOf(caller.run(operations.proveOwner, { passkey: answer }))),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
  });

  it("whose number of signatures does not grow is refused and audited; one that never counts is accepted", {
    meta: { proves: ["onboarding.passkeys.copied"] },
  }, async () => {
    const somebody = await newPerson();
    const { passkey } = await addPasskeyBy(world, somebody.caller);
    expect(await prove(somebody, passkey, { counter: 7 })).toBe("done");
    for (const counter of [7, 3, 0]) expect(await prove(somebody, passkey, { counter })).toBe("validation_error");
    expect(await prove(somebody, passkey, { counter: 8 })).toBe("done");
    const failures = (await auditOf(somebody.person, "auth.prove")).filter(({ outcome }) => outcome === "failed");
    expect(failures.map(({ details }) => details)).toEqual(Array(3).fill({ passkey: "counter" }));
    const [stored] = await client.passkey.findMany({ where: { teamId, userId: somebody.person.id } });
    await client.passkey.update({ where: { teamId_id: { teamId, id: stored?.id ?? "" } }, data: { counter: 0 } });
    for (let count = 0; count < 2; count += 1) expect(await prove(somebody, passkey, { counter: 0 })).toBe("done");
  });
});

describe("the passkeys of somebody", () => {
  it("are renamed and removed by nobody else; the last one turns the second step off, and a mail says so", {
    meta: { proves: ["onboarding.passkeys.manage", "onboarding.passkeys.second-factor"] },
  }, async () => {
    const somebody = await newPerson();
    const { caller, person } = somebody;
    const other = (await newPerson()).caller;
    const first = await addPasskeyBy(world, caller, "Phone");
    const second = await addPasskeyBy(world, caller, "Key");
    const { id } = first;
    expect(await outcomeOf(other.run(operations.renamePasskey, { id, name: "Mine" }))).toBe("not_found");
    expect(await outcomeOf(other.run(operations.removePasskey, { id }))).toBe("not_found");
    expect(await caller.run(operations.renamePasskey, { id: first.id, name: "  New phone " })).toMatchObject({
      name: "New phone",
    });
    for (const name of ["", "  ", "x".repeat(101)]) {
      expect(await outcomeOf(caller.run(operations.renamePasskey, { id: first.id, name }))).toBe("validation_error");
    }
    await caller.run(operations.removePasskey, { id: first.id });
    expect(await outcomeOf(caller.run(operations.removePasskey, { id: first.id }))).toBe("not_found");
    expect(await infoOf(somebody)).toMatchObject({ passkeys: 1, recoveryCodesLeft: 10 });
    minutes(16);
    expect(await outcomeOf(caller.run(operations.removePasskey, { id: second.id }))).toBe("proof_required");
    expect(await prove(somebody, second.passkey)).toBe("done");
    await caller.run(operations.removePasskey, { id: second.id });
    expect(await infoOf(somebody)).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0, proof: "password" });
    expect((await auditOf(person, "auth.passkeys.remove")).map(({ details }) => details)).toEqual([
      { passkey: first.id, turnedOff: false },
      { passkey: second.id, turnedOff: true },
    ]);
    const removed = (await mailsTo(person)).filter(([kind]) => kind === "passkey_removed");
    expect(removed.map(([, facts]) => facts)).toMatchObject([{ passkey: "New phone" }, { passkey: "Key" }]);
  });

  it("stay when the app is removed, and the app when they are", {
    meta: { proves: ["onboarding.passkeys.second-factor"] },
  }, async () => {
    const somebody = await newPerson();
    const { caller } = somebody;
    const { id, recoveryCodes } = await addPasskeyBy(world, caller);
    const { secret } = await giveSecondFactor(world, somebody.person);
    expect(await infoOf(somebody)).toMatchObject({ passkeys: 1, proof: "code" });
    expect(await outcomeOf(caller.run(operations.removeSecondFactor, { code: recoveryCodes[0] }))).toBe(
      "validation_error",
    );
    await caller.run(operations.removeSecondFactor, { code: totpCode(secret, clock.now()) });
    expect(await infoOf(somebody)).toMatchObject({ app: null, passkeys: 1, recoveryCodesLeft: 10, proof: "passkey" });
    await giveSecondFactor(world, somebody.person);
    await caller.run(operations.removePasskey, { id });
    expect(await infoOf(somebody)).toMatchObject({ passkeys: 0, recoveryCodesLeft: 10, proof: "code" });
  });

  it("make a set-up of an app begin again that was begun before one was added or removed", {
    meta: { proves: ["onboarding.passkeys.second-factor"] },
  }, async () => {
    const { caller } = await newPerson();
    await addPasskeyBy(world, caller, "Phone");
    const begin = () => caller.run(operations.startSecondFactor, {});
    const confirm = ({ ticket, secret }: Awaited<ReturnType<typeof begin>>) =>
      outcomeOf(caller.run(operations.confirmSecondFactor, { ticket, code: totpCode(secret, clock.now()) }));
    const beforeAdded = await begin();
    const { id } = await addPasskeyBy(world, caller, "Key");
    expect(await confirm(beforeAdded)).toBe("conflict");
    const beforeRemoved = await begin();
    await caller.run(operations.removePasskey, { id });
    expect(await confirm(beforeRemoved)).toBe("conflict");
    expect(await confirm(await begin())).toBe("done");
  });

  it("prove nothing any more in other sessions once one of them, or the app, is removed", {
    meta: { proves: ["onboarding.passkeys.second-factor"] },
  }, async () => {
    const { caller, person } = await newPerson();
    const { id } = await addPasskeyBy(world, caller, "Phone");
    const kept = await addPasskeyBy(world, caller, "Key");
    const other = callerOf(world, await world.session(person), { isFresh: false });
    const foreign = await newPerson();
    expect(await outcomeOf(other.run(operations.startPasskey, {}))).toBe("done");
    await caller.run(operations.removePasskey, { id });
    expect(await outcomeOf(other.run(operations.startPasskey, {}))).toBe("proof_required");
    expect(await outcomeOf(other.run(operations.getSession, {}))).toBe("done");
    for (const each of [caller, foreign.caller])
      expect(await outcomeOf(each.run(operations.startPasskey, {}))).toBe("done");
    const { options } = await other.run(operations.challengePasskey, {});
    await other.run(operations.proveOwner, { passkey: kept.passkey.use({ challenge: options.challenge }) });
    const { secret } = await giveSecondFactor(world, person);
    await caller.run(operations.removeSecondFactor, { code: totpCode(secret, clock.now()) });
    expect(await outcomeOf(other.run(operations.startPasskey, {}))).toBe("proof_required");
  });

  it("let their owner set up an app and get new recovery codes after a fresh proof, without a code", {
    meta: { proves: ["onboarding.passkeys.second-factor", "onboarding.second-factor.recovery"] },
  }, async () => {
    const somebody = await newPerson();
    const { caller } = somebody;
    const { passkey, recoveryCodes } = await addPasskeyBy(world, caller);
    minutes(16);
    expect(await outcomeOf(caller.run(operations.renewRecoveryCodes, {}))).toBe("proof_required");
    expect(await outcomeOf(caller.run(operations.startSecondFactor, {}))).toBe("proof_required");
    expect(await outcomeOf(caller.run(operations.renewRecoveryCodes, { code: "000000" }))).toBe("validation_error");
    expect(await prove(somebody, passkey)).toBe("done");
    const renewed = await caller.run(operations.renewRecoveryCodes, {});
    expect(renewed.recoveryCodes).not.toContain(recoveryCodes[0]);
    const { ticket, secret } = await caller.run(operations.startSecondFactor, {});
    await caller.run(operations.confirmSecondFactor, { ticket, code: totpCode(secret, clock.now()) });
    expect(await infoOf(somebody)).toMatchObject({ passkeys: 1, proof: "code" });
    // From now on there is an app, whose codes are asked for.
    expect(await outcomeOf(caller.run(operations.renewRecoveryCodes, {}))).toBe("validation_error");
  });

  it("an app that was begun beside earlier passkeys is not set up beside those of a new second factor", {
    meta: { proves: ["onboarding.passkeys.second-factor", "onboarding.second-factor.set-up"] },
  }, async () => {
    const somebody = await newPerson();
    const { caller } = somebody;
    const { id } = await addPasskeyBy(world, caller);
    const { ticket, secret } = await caller.run(operations.startSecondFactor, {});
    await caller.run(operations.removePasskey, { id });
    minutes(1);
    await addPasskeyBy(world, caller);
    const confirmed = caller.run(operations.confirmSecondFactor, { ticket, code: totpCode(secret, clock.now()) });
    expect(await outcomeOf(confirmed)).toBe("conflict");
  });

  it("end with the second factor that an admin removes for somebody who lost it", {
    meta: { proves: ["onboarding.second-factor.lost"] },
  }, async () => {
    const { person } = await newPerson();
    await givePasskey(world, person);
    const boss = callerOf(world, await world.session(world.people.admin));
    const [listed] = (await boss.run(operations.listUsers, { query: person.email })).data;
    expect(listed).toMatchObject({ hasSecondFactor: true });
    await boss.run(operations.resetSecondFactor, { id: person.id });
    expect(await client.passkey.count({ where: { teamId, userId: person.id } })).toBe(0);
    expect(await auditOf(person, "users.resetSecondFactor")).toHaveLength(1);
  });
});

it("a team that requires a second factor accepts a passkey, and keeps the last part of it", {
  meta: { proves: ["onboarding.passkeys.second-factor", "onboarding.second-factor.switch"] },
}, async () => {
  const boss = await newPerson("Admins");
  const without = await newPerson();
  const { id, passkey } = await addPasskeyBy(world, boss.caller);
  await boss.caller.run(operations.updateTeam, { secondFactorRequired: true });
  expect(await outcomeOf(without.caller.run(operations.getSession, {}))).toBe("authentication_required");
  expect(await outcomeOf(boss.caller.run(operations.removePasskey, { id }))).toBe("conflict");
  const other = await addPasskeyBy(world, boss.caller);
  const outcomes = await Promise.all(
    [id, other.id].map((each) => outcomeOf(boss.caller.run(operations.removePasskey, { id: each }))),
  );
  expect(outcomes.sort()).toEqual(["conflict", "done"]);
  expect((await infoOf(boss)).passkeys).toBe(1);
  expect(passkey.id).toHaveLength(32);
});
