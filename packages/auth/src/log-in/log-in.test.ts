import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authenticateSession, type LogInOutcome, logIn } from "../index.ts";
import { decoyHash, hashPassword } from "../password.ts";
import { createPeople, type People, type Person } from "../testing/index.ts";

const password = "a password of a length";
const key = new Uint8Array(32).fill(7);

describe("logging in", () => {
  const clock = testClock();
  let base: TestDatabase;
  let world: People;
  beforeAll(async () => {
    base = await testDatabase();
    world = await createPeople(base.database, clock);
    const passwordHash = await hashPassword(password);
    for (const person of Object.values(world.people)) await change(person, { passwordHash });
  });
  // Each test in a quarter of an hour of its own.
  beforeEach(() => clock.advance(15 * 60_000));
  afterAll(() => base.drop());

  const change = (person: Person, data: { passwordHash?: string | null; suspendedAt?: Date | null }) =>
    base.database.client.user.update({
      where: { teamId_id: { teamId: person.actor.teamId, id: person.id } },
      data,
      select: { passwordHash: true },
    });
  const attempt = (email: string, given: string, network = "203.0.113.1"): Promise<LogInOutcome> =>
    logIn(base.database, { email, password: given, address: network, network }, { key, clock });
  const kinds = (outcomes: readonly LogInOutcome[]) => {
    const count = (kind: LogInOutcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
    return { in: count("success"), wrong: count("failure"), throttled: count("throttled") };
  };

  it("succeeds with the right password and an address in any case, with a new session each time", {
    meta: { proves: ["decision.access.sessions"] },
  }, async () => {
    const { member } = world.people;
    const first = await attempt(`  ${member.email.toUpperCase()} `, password);
    const second = await attempt(member.email, password);
    if (first.kind !== "success" || second.kind !== "success") throw new Error("not in");
    expect(first.session.token).not.toBe(second.session.token);
    const actor = await authenticateSession(base.database, first.session.token, clock.now());
    expect(actor).toMatchObject({ userId: member.id, credential: { kind: "session", id: first.session.id } });
  });

  it("returns the same error for a wrong password, an unknown address, a user without a password and a suspended user", async () => {
    const { viewer, outsider, member } = world.people;
    const passwordHash = await hashPassword(password);
    await change(viewer, { passwordHash: null });
    await change(outsider, { suspendedAt: clock.now() });
    for (const email of [viewer.email, outsider.email, "nobody@example.org", "", "a\0b", "\ud800"]) {
      expect(await attempt(email, password)).toMatchObject({ kind: "failure", accountLimited: false });
    }
    await change(viewer, { passwordHash });
    await change(outsider, { suspendedAt: null });
    expect(await attempt(viewer.email, password)).toMatchObject({ kind: "success" });
    expect(await attempt(member.email, "")).toMatchObject({ kind: "failure", accountLimited: false });
  });

  it("hashes a password for an unknown address too", async () => {
    const cost = (hash: string) => hash.split("$").slice(0, 4).join("$");
    expect(cost(decoyHash)).toBe(cost(await hashPassword("x")));
    const timed = async (email: string): Promise<number> => {
      const startedAt = performance.now();
      await attempt(email, "not the password", `203.0.113.${Math.floor(Math.random() * 200)}`);
      return performance.now() - startedAt;
    };
    const samples: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
    for (let round = 0; round < 8; round += 1) {
      samples.known.push(await timed(world.people.editor.email));
      samples.unknown.push(await timed("nobody@example.org"));
    }
    // Without the hash the ratio is below one third.
    expect(Math.min(...samples.unknown) / Math.min(...samples.known)).toBeGreaterThan(0.6);
  });

  it("answers ten of 200 concurrent wrong passwords; then the right one must wait there, and succeeds from another address", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const { admin: boss } = world.people;
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => attempt(boss.email, `guess ${index}`)),
    );
    expect(kinds(outcomes)).toEqual({ in: 0, wrong: 10, throttled: 190 });
    expect(await attempt(boss.email, password)).toEqual({
      kind: "throttled",
      account: { teamId: world.teamId, userId: boss.id },
      retryAfterSeconds: 15 * 60,
    });
    expect(await attempt(boss.email, password, "198.51.100.9")).toMatchObject({ kind: "success" });
    clock.advance(15 * 60_000 - 1);
    expect(await attempt(boss.email, password)).toMatchObject({ kind: "throttled", retryAfterSeconds: 1 });
    clock.advance(1);
    expect(await attempt(boss.email, password)).toMatchObject({ kind: "success" });
  });

  it("a right password among 200 wrong ones succeeds only if fewer than ten failed before it", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const { viewer } = world.people;
    const guesses = Array.from({ length: 200 }, (_, index) => (index === 150 ? password : `guess ${index}`));
    const outcomes = await Promise.all(guesses.map((guess) => attempt(viewer.email, guess)));
    expect(kinds(outcomes)).toEqual({ in: 0, wrong: 10, throttled: 190 });
  });

  it("ten failures of a client address count for all accounts, and a success erases none", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const { member } = world.people;
    for (let index = 0; index < 9; index += 1) await attempt(`user-${index}@example.org`, "guess");
    expect(await attempt(member.email, password)).toMatchObject({ kind: "success" });
    expect(await attempt("user-9@example.org", "guess")).toMatchObject({ kind: "failure" });
    expect(await attempt(member.email, password)).toMatchObject({ kind: "throttled" });
  });

  it("after ten failures of an account from anywhere, each address has three attempts left and the owner can log in", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    for (const email of [world.people.editor.email, "nobody@example.org"]) {
      const from = (index: number) => `2001:db8:${email.length}:${index}::/64`;
      for (let index = 0; index < 10; index += 1) {
        expect(await attempt(email, "guess", from(index))).toMatchObject({ kind: "failure", accountLimited: false });
      }
      const more = await Promise.all(Array.from({ length: 20 }, () => attempt(email, "guess", from(99))));
      expect(kinds(more)).toEqual({ in: 0, wrong: 3, throttled: 17 });
      expect(more.find((outcome) => outcome.kind === "failure")).toMatchObject({ accountLimited: true });
    }
    const { email } = world.people.editor;
    expect(await attempt(email, password, "2001:db8:1:99::/64")).toMatchObject({ kind: "success" });
  });

  it("of 30 concurrent failures of an account from different addresses, exactly ten pass before the limit", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const { email } = world.people.outsider;
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => attempt(email, "guess", `198.51.100.${index}`)),
    );
    expect(kinds(outcomes)).toEqual({ in: 0, wrong: 30, throttled: 0 });
    expect(outcomes.filter((outcome) => outcome.kind === "failure" && !outcome.accountLimited)).toHaveLength(10);
  });

  it("failures that no longer count are deleted, and no record contains the e-mail address as it was typed", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const { loginFailure } = base.database.client;
    await attempt("my password typed into the wrong field", "guess");
    const rows = await loginFailure.findMany();
    expect(rows.every((row) => clock.now().getTime() - row.at.getTime() < 15 * 60_000)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain("wrong field");
  });

  it("a password that is changed during its check is refused", async () => {
    const { member } = world.people;
    const passwordHash = await hashPassword(password);
    const changed = base.database.transaction(async (tx) => {
      const where = { teamId_id: { teamId: world.teamId, id: member.id } };
      await tx.user.update({ where, data: { passwordHash: decoyHash } });
      // The log-in reads the old hash meanwhile, and then waits for this row.
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    expect(await attempt(member.email, password)).toMatchObject({ kind: "failure" });
    await changed;
    await change(member, { passwordHash });
  });
});
