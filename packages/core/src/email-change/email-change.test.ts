import { sealer } from "@kb/auth";
import { addPerson, callerOf, outcomeOf, type Person, statementLog, testSecret } from "@kb/core/testing";
import { newId } from "@kb/db";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import {
  type ClaimedMail,
  claimMails,
  confirmEmailChange,
  findEmailChange,
  mailContentOf,
  operations,
  settleMail,
} from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const log = statementLog();
const { world } = await testWorld({ clock }, { onQuery: log.onQuery });
const { service, teamId } = world;
const { client } = service.database;
const mail = { sealer: sealer(testSecret, "mails") };
const mailing = { ...world, service: { ...service, mail } };
const minutes = (count: number): void => clock.advance(count * 60_000);
const newAddress = (): string => `${newId()}@example.org`;

/** Somebody new who is logged in where mails are sent. The proof of the log-in ages with the clock. */
async function newPerson() {
  const person = await addPerson(world, "Members");
  const session = await world.session(person);
  return { person, caller: callerOf(mailing, session, { isFresh: false }), session };
}

/** Reads and settles the mails that wait for an address. */
async function takeMails(address: string) {
  const claimed = await claimMails(service, { most: 1_000, leaseMs: 1 });
  const found: ClaimedMail[] = claimed.filter(({ recipient, obsolete }) => recipient === address && !obsolete);
  for (const each of claimed) await settleMail(service, each, { result: "sent" });
  return found.map((each) => mailContentOf(each, mail, service.appUrl));
}

const tokenOf = (link: string | null | undefined): string => link?.split("/email/")[1] ?? "";
const confirm = (token: string) =>
  confirmEmailChange(mailing.service, { token, address: "203.0.113.1", requestId: "request" });
const emailOf = async ({ id }: Person) =>
  (await client.user.findUnique({ where: { teamId_id: { teamId, id } }, select: { email: true } }))?.email;

/** Begins a change, and returns the tokens that were mailed to both addresses. */
async function begin({ person, caller }: Awaited<ReturnType<typeof newPerson>>, email = newAddress()) {
  await caller.run(operations.startEmailChange, { email });
  const claimed = await claimMails(service, { most: 1_000, leaseMs: 1 });
  const linkTo = (recipient: string) => {
    const found = claimed.find((each) => each.recipient === recipient && each.kind.startsWith("email_change"));
    return found === undefined ? null : mailContentOf(found, mail, service.appUrl)?.link;
  };
  for (const each of claimed) await settleMail(service, each, { result: "sent" });
  return { email, old: tokenOf(linkTo(person.email)), next: tokenOf(linkTo(email)) };
}

describe("the change of an e-mail address", () => {
  it("takes place when both addresses have confirmed, in either order, and each step is audited", {
    meta: { proves: ["onboarding.email.both", "onboarding.email.after"] },
  }, async () => {
    for (const order of [
      ["old", "next"],
      ["next", "old"],
    ] as const) {
      const somebody = await newPerson();
      const { person, caller } = somebody;
      const begun = await begin(somebody);
      const [first, second] = order;
      expect(await findEmailChange(service, begun[first])).toMatchObject({ from: person.email, to: begun.email });
      expect(await confirm(begun[first])).toEqual({ kind: "waiting", email: begun.email });
      expect(await emailOf(person)).toBe(person.email);
      expect((await caller.run(operations.getEmailChange, {})).change?.confirmed).toEqual({
        old: first === "old",
        new: first === "next",
      });
      expect(await confirm(begun[second])).toEqual({ kind: "changed", email: begun.email });
      expect(await emailOf(person)).toBe(begun.email);
      expect((await caller.run(operations.getSession, {})).user.email).toBe(begun.email);
      expect(await caller.run(operations.getEmailChange, {})).toEqual({ change: null });
      const told = await takeMails(person.email);
      expect(told).toMatchObject([{ kind: "email_changed", facts: { address: begun.email }, link: null }]);
      const entries = await client.auditEntry.findMany({
        where: {
          teamId,
          targetId: person.id,
          action: { in: ["auth.emailChange.start", "user.emailConfirmed", "user.emailChanged"] },
        },
        orderBy: { id: "asc" },
        select: { action: true, details: true },
      });
      expect(entries.map(({ action }) => action)).toEqual([
        "auth.emailChange.start",
        "user.emailConfirmed",
        "user.emailConfirmed",
        "user.emailChanged",
      ]);
    }
  });

  it("needs a fresh proof and another address, which is an address", {
    meta: { proves: ["onboarding.email.start"] },
  }, async () => {
    const { person, caller } = await newPerson();
    const start = (email: string) => outcomeOf(caller.run(operations.startEmailChange, { email }));
    for (const email of ["", "nobody", person.email, ` ${person.email.toUpperCase()} `]) {
      expect(await start(email)).toBe("validation_error");
    }
    minutes(15);
    expect(await start(newAddress())).toBe("proof_required");
  });

  it("has links that work once, also for 50 uses at once, for an hour, and of which only hashes are stored", {
    meta: { proves: ["onboarding.email.link"] },
  }, async () => {
    const somebody = await newPerson();
    const { old, next } = await begin(somebody);
    const stored = JSON.stringify(await client.emailChange.findMany({ where: { teamId } }));
    for (const token of [old, next]) expect(stored).not.toContain(token);
    const uses = await Promise.all(Array.from({ length: 50 }, () => confirm(old)));
    expect(uses.filter(({ kind }) => kind === "waiting")).toHaveLength(1);
    expect(uses.filter(({ kind }) => kind === "invalid")).toHaveLength(49);
    const both = await Promise.all(Array.from({ length: 50 }, () => confirm(next)));
    expect(both.filter(({ kind }) => kind === "changed")).toHaveLength(1);
    const late = await begin(await newPerson());
    minutes(60);
    expect(await confirm(late.old)).toEqual({ kind: "invalid" });
    expect(await findEmailChange(service, late.next)).toBeNull();
    for (const token of ["", "x", "a".repeat(43), `${late.old}=`])
      expect(await confirm(token)).toEqual({ kind: "invalid" });
  });

  it("by both links at once takes place once", { meta: { proves: ["onboarding.email.link"] } }, async () => {
    const somebody = await newPerson();
    const { old, next, email } = await begin(somebody);
    const uses = await Promise.all([old, next, old, next].map(confirm));
    expect(uses.map(({ kind }) => kind).sort()).toEqual(["changed", "invalid", "invalid", "waiting"]);
    expect(await emailOf(somebody.person)).toBe(email);
  });

  it("answers the same for an address of another account, whose owner learns it by mail, and changes nothing", {
    meta: { proves: ["onboarding.email.same-answer"] },
  }, async () => {
    const taken = (await newPerson()).person;
    await client.user.update({ where: { teamId_id: { teamId, id: taken.id } }, data: { language: "ar" } });
    const somebody = await newPerson();
    const { caller, person } = somebody;
    const free = await caller.run(operations.startEmailChange, { email: newAddress() });
    await takeMails("");
    const answer = await caller.run(operations.startEmailChange, { email: taken.email });
    expect({ ...answer, email: "" }).toEqual({ ...free, email: "" });
    expect(await takeMails(taken.email)).toMatchObject([{ kind: "email_change_taken", language: "ar", link: null }]);
    expect(await emailOf(person)).toBe(person.email);
    const links = await callerOf(world, await world.session(world.people.admin)).run(
      operations.createEmailChangeLinks,
      { id: person.id },
    );
    // Both links: only somebody who has that of the new address learns of the account.
    expect(await confirm(tokenOf(links.links.old))).toEqual({ kind: "waiting", email: taken.email });
    expect((await caller.run(operations.getEmailChange, {})).change?.confirmed).toEqual({ old: true, new: false });
    expect(await confirm(tokenOf(links.links.new))).toEqual({ kind: "taken", email: taken.email });
    expect(await emailOf(person)).toBe(person.email);
  });

  it("answers the link of one's own address with the same statements and result whether or not the new one is taken", {
    meta: { proves: ["onboarding.email.same-answer"] },
  }, async () => {
    const taken = (await newPerson()).person.email;
    const [free, occupied] = await Promise.all([
      begin(await newPerson(), newAddress()).then(({ old }) => old),
      begin(await newPerson(), taken).then(({ old }) => old),
    ]);
    const kinds: string[] = [];
    const confirmed = (token: string) => log.during(async () => kinds.push((await confirm(token)).kind));
    expect(await confirmed(occupied)).toEqual(await confirmed(free));
    expect(kinds).toEqual(["waiting", "waiting"]);
  });

  it("to an address that somebody takes in the meantime changes nothing", {
    meta: { proves: ["onboarding.email.same-answer"] },
  }, async () => {
    const one = await newPerson();
    const other = await newPerson();
    const email = newAddress();
    const first = await begin(one, email);
    const second = await begin(other, email);
    await confirm(first.old);
    await confirm(second.old);
    const results = await Promise.all([confirm(first.next), confirm(second.next)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(["changed", "taken"]);
    expect(await client.user.count({ where: { teamId, email } })).toBe(1);
  });

  it("is sent again to the addresses that have not confirmed, and ends with another one and when it is cancelled", {
    meta: { proves: ["onboarding.email.again"] },
  }, async () => {
    const somebody = await newPerson();
    const { caller, person } = somebody;
    const first = await begin(somebody);
    await confirm(first.old);
    await caller.run(operations.startEmailChange, { email: first.email });
    expect(await takeMails(person.email)).toEqual([]);
    expect(await confirm(first.next)).toEqual({ kind: "invalid" });
    expect((await caller.run(operations.getEmailChange, {})).change?.confirmed).toEqual({ old: true, new: false });
    const second = await begin(somebody);
    expect((await caller.run(operations.getEmailChange, {})).change).toMatchObject({
      email: second.email,
      confirmed: { old: false, new: false },
    });
    await caller.run(operations.cancelEmailChange, {});
    for (const token of [second.old, second.next]) expect(await confirm(token)).toEqual({ kind: "invalid" });
    expect(await outcomeOf(caller.run(operations.cancelEmailChange, {}))).toBe("done");
  });

  it("ends when an admin changes the address or suspends the user", {
    meta: { proves: ["onboarding.email.again"] },
  }, async () => {
    const boss = callerOf(world, await world.session(world.people.admin));
    const moved = await newPerson();
    const one = await begin(moved);
    await boss.run(operations.updateUser, { id: moved.person.id, email: newAddress() });
    expect(await confirm(one.old)).toEqual({ kind: "invalid" });
    const suspended = await newPerson();
    const other = await begin(suspended);
    await boss.run(operations.suspendUser, { id: suspended.person.id });
    expect(await confirm(other.next)).toEqual({ kind: "invalid" });
  });

  it("mails at most five links a day to an address", { meta: { proves: ["onboarding.mail.limit"] } }, async () => {
    const email = newAddress();
    for (let count = 0; count < 5; count += 1) {
      await (await newPerson()).caller.run(operations.startEmailChange, { email });
    }
    const { caller } = await newPerson();
    expect(await outcomeOf(caller.run(operations.startEmailChange, { email }))).toBe("rate_limited");
    // They keep no admin from writing to the address.
    const boss = callerOf(mailing, await world.session(world.people.admin));
    expect(await outcomeOf(boss.run(operations.createInvitations, { emails: [email] }))).toBe("done");
    expect(await caller.run(operations.getEmailChange, {})).toEqual({ change: null });
  });
});

describe("the links of a change in an installation without a mail server", () => {
  it("are shown to an admin, who hands them over; new ones replace them", {
    meta: { proves: ["onboarding.email.handed-over"] },
  }, async () => {
    const person = await addPerson(world, "Members");
    const caller = callerOf(world, await world.session(person));
    const boss = callerOf(world, await world.session(world.people.admin));
    const email = newAddress();
    const links = () => boss.run(operations.createEmailChangeLinks, { id: person.id });
    expect(await outcomeOf(links())).toBe("not_found");
    expect(await caller.run(operations.startEmailChange, { email })).toMatchObject({ mailed: false });
    const first = await links();
    const second = await links();
    expect(await confirm(tokenOf(first.links.old))).toEqual({ kind: "invalid" });
    expect(await confirm(tokenOf(second.links.old))).toMatchObject({ kind: "waiting" });
    const third = await links();
    expect(third).toMatchObject({ email, links: { old: null } });
    expect(await confirm(tokenOf(third.links.new))).toEqual({ kind: "changed", email });
    expect(await outcomeOf(links())).toBe("not_found");
  });

  it("are for nobody without the right, of nobody above, and not where mails are sent", {
    meta: { proves: ["onboarding.email.handed-over"] },
  }, async () => {
    const { person, caller } = await newPerson();
    await caller.run(operations.startEmailChange, { email: newAddress() });
    const boss = callerOf(mailing, await world.session(world.people.admin));
    expect(await outcomeOf(boss.run(operations.createEmailChangeLinks, { id: person.id }))).toBe("conflict");
    expect(await outcomeOf(caller.run(operations.createEmailChangeLinks, { id: person.id }))).toBe("forbidden");
  });
});
