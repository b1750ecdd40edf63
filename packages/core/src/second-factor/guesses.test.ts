import { proveSecondFactor, sealer } from "@kb/auth";
import { totpCode } from "@kb/auth/testing";
import { addPerson, callerOf, giveSecondFactor, outcomeOf, type Person, testSecret } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { admin, operations } from "../index.ts";
import { checkedGuesses } from "../testing/checked-guesses.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { teamId, people } = world;
const { client } = world.service.database;
const mailing = { ...world, service: { ...world.service, mail: { sealer: sealer(testSecret, "mails") } } };
const wrong = "000000";
const minutes = (count: number): void => clock.advance(count * 60_000);
const hours = (count: number): void => minutes(count * 60);

const callerWithMail = async (person: Person) => callerOf(mailing, await world.session(person));
const mailsTo = ({ email: recipient }: Person, kind: string) =>
  client.mail.findMany({ where: { teamId, recipient, kind }, select: { facts: true, language: true, token: true } });

/** Somebody new with an app, and the outcomes of codes that are typed for them. */
async function guessed() {
  const person = await addPerson(world, "Members");
  const { secret, recoveryCodes } = await giveSecondFactor(world, person);
  const caller = await callerWithMail(person);
  const type = (proof: string) => outcomeOf(caller.run(operations.startSecondFactor, { proof }));
  const many = (count: number) => checkedGuesses(count, () => type(wrong));
  const right = () => type(totpCode(secret, clock.now()));
  return { person, recoveryCodes, type, many, right };
}

describe("the number of wrong codes of an app", () => {
  it("is twenty, and then ten a day: in a week at most ninety codes are checked", {
    meta: { proves: ["onboarding.second-factor.guesses"] },
  }, async () => {
    const { many } = await guessed();
    let checked = 0;
    for (let round = 0; round < (7 * 24 * 60) / 20; round += 1) {
      checked += await many(round < 3 ? 11 : 1);
      minutes(20);
    }
    expect(checked).toBeGreaterThanOrEqual(88);
    expect(checked).toBeLessThanOrEqual(90);
  });

  it("counts at log-in and in the settings together, also for many at once", {
    meta: { proves: ["onboarding.second-factor.guesses"] },
  }, async () => {
    const { person, many, right } = await guessed();
    const { database, sealer: seal } = world.service;
    await many(10);
    minutes(15);
    const account = { teamId, userId: person.id };
    const guess = () => proveSecondFactor(database, seal, { account, typed: wrong }, clock.now());
    const kinds = (await Promise.all(Array.from({ length: 30 }, guess))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "wrong")).toHaveLength(10);
    minutes(15);
    expect(await right()).toBe("rate_limited");
    hours(3);
    expect(await right()).toBe("done");
  });

  it("is forgotten with a recovery code, which only the owner has, and with another app", {
    meta: { proves: ["onboarding.second-factor.guesses"] },
  }, async () => {
    const { person, recoveryCodes, type, many, right } = await guessed();
    await many(10);
    minutes(15);
    await many(10);
    minutes(15);
    expect(await right()).toBe("rate_limited");
    expect(await type(recoveryCodes[0] ?? "")).toBe("done");
    expect(await right()).toBe("done");
    await many(10);
    await giveSecondFactor(world, person);
    const stored = await client.secondFactor.findUnique({ where: { teamId_userId: { teamId, userId: person.id } } });
    expect(stored).toMatchObject({ guesses: 0, guessedAt: null });
  });

  it("is told to the owner by mail from the tenth on, once a day, in their language and without a link", {
    meta: { proves: ["onboarding.second-factor.warned"] },
  }, async () => {
    const { person, many } = await guessed();
    await client.user.update({ where: { teamId_id: { teamId, id: person.id } }, data: { language: "ar" } });
    await many(9);
    expect(await mailsTo(person, "second_factor_guesses")).toEqual([]);
    minutes(20);
    await many(5);
    const warning = { facts: { team: expect.any(String) }, language: "ar", token: null };
    expect(await mailsTo(person, "second_factor_guesses")).toEqual([warning]);
    hours(25);
    await many(10);
    expect(await mailsTo(person, "second_factor_guesses")).toEqual([warning, warning]);
  });

  it("is told with the next wrong code where the mail could not be written, and again where it did not arrive", {
    meta: { proves: ["onboarding.second-factor.warned"] },
  }, async () => {
    const { person, many } = await guessed();
    await many(9);
    minutes(20);
    const broken = {
      get sealer(): never {
        throw new Error("no mail can be written");
      },
    };
    const session = await world.session(person);
    const withoutMails = callerOf({ ...world, service: { ...world.service, mail: broken } }, session);
    expect(await outcomeOf(withoutMails.run(operations.startSecondFactor, { proof: wrong }))).toBe("validation_error");
    expect(await mailsTo(person, "second_factor_guesses")).toHaveLength(0);
    await many(2);
    expect(await mailsTo(person, "second_factor_guesses")).toHaveLength(1);
    await client.mail.updateMany({ where: { teamId, recipient: person.email }, data: { status: "failed" } });
    await many(2);
    expect(await mailsTo(person, "second_factor_guesses")).toHaveLength(2);
  });
});

it("a person whose second factor an admin removes learns it by mail, and by whom; nobody else gets one", {
  meta: { proves: ["onboarding.second-factor.warned"] },
}, async () => {
  const { person } = await guessed();
  const boss = await callerWithMail(people.admin);
  await boss.run(operations.resetSecondFactor, { id: person.id });
  await boss.run(operations.resetSecondFactor, { id: person.id });
  const removals = await mailsTo(person, "second_factor_removed");
  expect(removals.map(({ facts }) => facts)).toEqual([{ team: expect.any(String), by: people.admin.name }]);
  await giveSecondFactor(world, person);
  await admin.resetSecondFactor(mailing.service, person.email);
  const facts = (await mailsTo(person, "second_factor_removed")).map((mail) => mail.facts);
  expect(facts).toContainEqual({ team: expect.any(String) });
});

it("warnings have no share in the number of mails that an admin may send to an address", {
  meta: { proves: ["onboarding.second-factor.warned"] },
}, async () => {
  const { person } = await guessed();
  for (let count = 0; count < 6; count += 1) {
    await giveSecondFactor(world, person);
    await admin.resetSecondFactor(mailing.service, person.email);
  }
  const boss = await callerWithMail(people.admin);
  expect(await outcomeOf(boss.run(operations.createPasswordLink, { id: person.id }))).toBe("done");
});
