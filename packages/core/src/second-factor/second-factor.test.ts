import { createTotpSecret, sealer, totpSecretText } from "@kb/auth";
import { totpCode } from "@kb/auth/testing";
import {
  addPerson,
  callerOf,
  giveSecondFactor,
  outcomeOf,
  type Person,
  sessionCallerOf,
  testSecret,
} from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { admin, operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";
import { resealSecondFactors } from "./reseal.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const password = "a password of a length";
const { client } = world.service.database;
const minutes = (count: number): void => clock.advance(count * 60_000);
const wrong = "000 000";

/** Somebody new who has a password and is logged in. */
async function newPerson(): Promise<Person> {
  const person = await addPerson(world, "Members");
  await admin.setPassword(world.service, person.email, password);
  return person;
}

const factorOf = ({ id: userId }: Person) =>
  client.secondFactor.findUnique({ where: { teamId_userId: { teamId: world.teamId, userId } } });
const auditOf = async ({ id: userId }: Person, action: string) =>
  client.auditEntry.findMany({
    where: { teamId: world.teamId, targetId: userId, action },
    select: { outcome: true, targetType: true, details: true },
  });

describe("setting up an authenticator app", () => {
  it("the password, then the first code switch it on; only ten new recovery codes are returned, and hashes are stored", {
    meta: { proves: ["onboarding.second-factor.set-up", "onboarding.second-factor.audit"] },
  }, async () => {
    const person = await newPerson();
    const caller = await sessionCallerOf(world, person);
    expect(await caller.run(operations.getSecondFactor, {})).toEqual({
      app: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
      required: false,
      proof: "password",
    });
    expect(await outcomeOf(caller.run(operations.startSecondFactor, {}))).toBe("validation_error");
    expect(await outcomeOf(caller.run(operations.startSecondFactor, { proof: "wrong" }))).toBe("validation_error");
    const { ticket, secret, uri, qrCode } = await caller.run(operations.startSecondFactor, { proof: password });
    expect(uri).toContain(secret.replaceAll(" ", ""));
    expect(qrCode.path).toMatch(/^(?:M\d+ \d+h\d+v1h-\d+z)+$/);
    expect(await factorOf(person)).toBeNull();
    expect(await outcomeOf(caller.run(operations.confirmSecondFactor, { ticket, code: wrong }))).toBe(
      "validation_error",
    );
    const code = totpCode(secret, clock.now());
    const { recoveryCodes } = await caller.run(operations.confirmSecondFactor, { ticket, code });
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await caller.run(operations.getSecondFactor, {})).toMatchObject({
      recoveryCodesLeft: 10,
      proof: "code",
    });
    const stored = JSON.stringify(
      await client.recoveryCode.findMany({ where: { teamId: world.teamId, userId: person.id } }),
    );
    for (const each of recoveryCodes) expect(stored).not.toContain(each);
    expect(await auditOf(person, "auth.secondFactor.confirm")).toEqual([
      { outcome: "success", targetType: "user", details: { fields: ["ticket", "code"] } },
    ]);
  });

  it("the first code of the app is not accepted a second time, and a code proves the change to another app", {
    meta: { proves: ["onboarding.second-factor.set-up", "onboarding.second-factor.totp"] },
  }, async () => {
    const person = await newPerson();
    const caller = await sessionCallerOf(world, person);
    const first = await caller.run(operations.startSecondFactor, { proof: password });
    const code = totpCode(first.secret, clock.now());
    await caller.run(operations.confirmSecondFactor, { ticket: first.ticket, code });
    for (const proof of [code, password, "", wrong]) {
      expect(await outcomeOf(caller.run(operations.startSecondFactor, { proof }))).toBe("validation_error");
    }
    minutes(1);
    const proof = totpCode(first.secret, clock.now());
    const second = await caller.run(operations.startSecondFactor, { proof });
    expect(second.secret).not.toBe(first.secret);
    await caller.run(operations.confirmSecondFactor, {
      ticket: second.ticket,
      code: totpCode(second.secret, clock.now()),
    });
    minutes(1);
    const old = totpCode(first.secret, clock.now());
    expect(await outcomeOf(caller.run(operations.renewRecoveryCodes, { code: old }))).toBe("validation_error");
  });

  it("a ticket is of no use to somebody else, after 15 minutes, or changed", {
    meta: { proves: ["onboarding.second-factor.set-up"] },
  }, async () => {
    const caller = await sessionCallerOf(world, await newPerson());
    const other = await sessionCallerOf(world, await newPerson());
    const { ticket, secret } = await caller.run(operations.startSecondFactor, { proof: password });
    const confirm = (by: typeof caller, given: string) =>
      outcomeOf(by.run(operations.confirmSecondFactor, { ticket: given, code: totpCode(secret, clock.now()) }));
    expect(await confirm(other, ticket)).toBe("not_found");
    expect(await confirm(caller, `${ticket.slice(0, -8)}AAAAAAAA`)).toBe("not_found");
    expect(await confirm(caller, Buffer.from("{}").toString("base64url"))).toBe("not_found");
    minutes(15);
    expect(await confirm(caller, ticket)).toBe("conflict");
  });

  it("ends the other sessions of the user, and not the own one", {
    meta: { proves: ["onboarding.second-factor.set-up"] },
  }, async () => {
    const person = await newPerson();
    const other = await sessionCallerOf(world, person);
    const caller = await sessionCallerOf(world, person);
    const { ticket, secret } = await caller.run(operations.startSecondFactor, { proof: password });
    await caller.run(operations.confirmSecondFactor, { ticket, code: totpCode(secret, clock.now()) });
    expect(await outcomeOf(other.run(operations.getSession, {}))).toBe("authentication_required");
    expect(await outcomeOf(caller.run(operations.getSession, {}))).toBe("done");
  });

  it("a ticket works once, and not in place of a factor that was set up after it was issued", {
    meta: { proves: ["onboarding.second-factor.set-up"] },
  }, async () => {
    const person = await newPerson();
    const caller = await sessionCallerOf(world, person);
    const start = (proof: string) => caller.run(operations.startSecondFactor, { proof });
    const confirm = ({ ticket, secret }: Awaited<ReturnType<typeof start>>) =>
      outcomeOf(caller.run(operations.confirmSecondFactor, { ticket, code: totpCode(secret, clock.now()) }));
    const early = await start(password);
    const first = await start(password);
    const uses = await Promise.all(Array.from({ length: 5 }, () => confirm(first)));
    expect(uses.filter((outcome) => outcome === "done")).toHaveLength(1);
    const stored = await factorOf(person);
    for (const ticket of [early, first]) expect(await confirm(ticket)).toBe("conflict");
    minutes(1);
    const changes = [];
    for (let count = 0; count < 2; count += 1) {
      changes.push(await start(totpCode(first.secret, clock.now())));
      minutes(1);
    }
    expect(await factorOf(person)).toMatchObject({ secret: stored?.secret });
    const [second, third] = changes;
    if (second === undefined || third === undefined) throw new Error("no tickets");
    expect(await confirm(third)).toBe("done");
    for (const ticket of [second, third, early]) expect(await confirm(ticket)).toBe("conflict");
  });

  it("somebody without a password needs no proof, since they log in by single sign-on", {
    meta: { proves: ["onboarding.second-factor.set-up"] },
  }, async () => {
    const caller = await sessionCallerOf(world, world.people.viewer);
    expect(await caller.run(operations.getSecondFactor, {})).toEqual({
      app: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
      required: false,
      proof: "none",
    });
    expect((await caller.run(operations.startSecondFactor, {})).ticket).not.toBe("");
  });
});

describe("codes of somebody who is logged in", () => {
  it("a step works once, also for 9 uses at once, and an earlier step not after a later one", {
    meta: { proves: ["onboarding.second-factor.totp"] },
  }, async () => {
    const person = await newPerson();
    const caller = await sessionCallerOf(world, person);
    const { secret } = await giveSecondFactor(world, person);
    const early = totpCode(secret, clock.now());
    const next = totpCode(secret, new Date(clock.now().getTime() + 30_000));
    // Ten wrong codes would be refused for a while.
    const uses = Array.from({ length: 9 }, () => outcomeOf(caller.run(operations.renewRecoveryCodes, { code: next })));
    expect((await Promise.all(uses)).filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(await outcomeOf(caller.run(operations.renewRecoveryCodes, { code: early }))).toBe("validation_error");
  });

  it("a recovery code works once in any spelling, also for 9 uses at once, and none of the earlier ones after new ones", {
    meta: { proves: ["onboarding.second-factor.recovery", "onboarding.second-factor.audit"] },
  }, async () => {
    const person = await newPerson();
    const caller = await sessionCallerOf(world, person);
    const { recoveryCodes } = await giveSecondFactor(world, person);
    const [first = "", second = "", third = ""] = recoveryCodes;
    const start = (proof: string) => outcomeOf(caller.run(operations.startSecondFactor, { proof }));
    const outcomes = await Promise.all(
      Array.from({ length: 9 }, () => start(first.toLowerCase().replaceAll("-", " "))),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect((await caller.run(operations.getSecondFactor, {})).recoveryCodesLeft).toBe(9);
    const renewed = await caller.run(operations.renewRecoveryCodes, { code: second });
    expect(await start(third)).toBe("validation_error");
    minutes(16);
    expect(await start(third)).toBe("validation_error");
    expect(await start(renewed.recoveryCodes[0] ?? "")).toBe("done");
    expect(await auditOf(person, "auth.secondFactor.renewCodes")).toEqual([
      { outcome: "success", targetType: "user", details: { fields: ["code"], method: "recovery_code" } },
    ]);
  });

  it("the recovery code of another user is worth nothing", {
    meta: { proves: ["onboarding.second-factor.recovery"] },
  }, async () => {
    const person = await newPerson();
    const other = await newPerson();
    await giveSecondFactor(world, person);
    const [foreign = ""] = (await giveSecondFactor(world, other)).recoveryCodes;
    const caller = await sessionCallerOf(world, person);
    expect(await outcomeOf(caller.run(operations.removeSecondFactor, { code: foreign }))).toBe("validation_error");
  });

  it("a second factor is removed with a recovery code, and has to be there", {
    meta: { proves: ["onboarding.second-factor.recovery", "onboarding.second-factor.audit"] },
  }, async () => {
    const person = await newPerson();
    const caller = await sessionCallerOf(world, person);
    const { recoveryCodes } = await giveSecondFactor(world, person);
    const remove = (code = "") => outcomeOf(caller.run(operations.removeSecondFactor, { code }));
    expect(await remove(recoveryCodes[0])).toBe("done");
    expect(await factorOf(person)).toBeNull();
    expect(await remove(recoveryCodes[1])).toBe("not_found");
    expect(await auditOf(person, "auth.secondFactor.remove")).toEqual([
      { outcome: "success", targetType: "user", details: { fields: ["code"], method: "recovery_code" } },
    ]);
  });
});

describe("the key of an app at rest", () => {
  it("is encrypted, and is encrypted again under a new secret of the installation", {
    meta: { proves: ["onboarding.second-factor.sealed"] },
  }, async () => {
    const person = await newPerson();
    const { secret } = await giveSecondFactor(world, person);
    const stored = (await factorOf(person))?.secret ?? new Uint8Array();
    const previous = sealer(testSecret, "webhooks");
    const plain = previous.open(stored);
    expect(totpSecretText(plain)).toBe(secret);
    expect(Buffer.from(stored).includes(Buffer.from(plain))).toBe(false);
    const present = sealer("a new secret of this installation, 2027", "webhooks");
    const done = await resealSecondFactors(world.service.database, { present, previous });
    expect(done).toMatchObject({ current: 0, unreadable: 0 });
    expect(done.resealed).toBeGreaterThan(0);
    expect(present.open((await factorOf(person))?.secret ?? new Uint8Array())).toEqual(plain);
    expect(await resealSecondFactors(world.service.database, { present, previous })).toMatchObject({ resealed: 0 });
    const back = await resealSecondFactors(world.service.database, { present: previous, previous: present });
    expect(back.unreadable).toBe(0);
    const other = sealer("a secret that sealed nothing, of another one", "webhooks");
    const lost = await resealSecondFactors(world.service.database, { present: other, previous: other });
    expect(lost).toMatchObject({ resealed: 0, current: 0 });
    expect(createTotpSecret()).not.toEqual(createTotpSecret());
  });
});

describe("a lost second factor", () => {
  it("an admin removes it: sessions end, and the audit log names both", {
    meta: { proves: ["onboarding.second-factor.lost", "onboarding.second-factor.audit"] },
  }, async () => {
    const person = await newPerson();
    const boss = await sessionCallerOf(world, world.people.admin);
    await giveSecondFactor(world, person);
    const listed = async () =>
      (await boss.run(operations.listUsers, { query: person.email })).data.map((user) => user.hasSecondFactor);
    expect(await listed()).toEqual([true]);
    const session = await world.session(person);
    expect(await boss.run(operations.resetSecondFactor, { id: person.id })).toMatchObject({ hasSecondFactor: false });
    expect(await listed()).toEqual([false]);
    expect(await outcomeOf(callerOf(world, session).run(operations.getSession, {}))).toBe("authentication_required");
    await boss.run(operations.resetSecondFactor, { id: person.id });
    expect(await auditOf(person, "users.resetSecondFactor")).toEqual([
      { outcome: "success", targetType: "user", details: null },
    ]);
  });

  it("nobody removes their own in this way, or that of somebody who has more permissions", {
    meta: { proves: ["onboarding.second-factor.lost"] },
  }, async () => {
    const boss = await sessionCallerOf(world, world.people.admin);
    const own = boss.run(operations.resetSecondFactor, { id: world.people.admin.id });
    expect(await outcomeOf(own)).toBe("conflict");
    const group = { name: "Stewards", capabilities: ["settings.members", "document.read"] };
    const { id } = await boss.run(operations.createGroup, group);
    const steward = await newPerson();
    await boss.run(operations.setUserGroups, { id: steward.id, groupIds: [id] });
    const caller = await sessionCallerOf(world, steward);
    const above = caller.run(operations.resetSecondFactor, { id: world.people.admin.id });
    expect(await outcomeOf(above)).toBe("forbidden");
  });

  it("the command line removes it, and says so of somebody who has none", {
    meta: { proves: ["onboarding.second-factor.lost"] },
  }, async () => {
    const person = await newPerson();
    await giveSecondFactor(world, person);
    expect(await admin.resetSecondFactor(world.service, person.email)).toMatchObject({ removed: true });
    expect(await factorOf(person)).toBeNull();
    expect(await admin.resetSecondFactor(world.service, person.email)).toMatchObject({ removed: false });
    await expect(admin.resetSecondFactor(world.service, "nobody@example.org")).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
