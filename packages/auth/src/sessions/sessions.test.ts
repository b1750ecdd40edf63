import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  authenticateSession,
  createSession,
  csrfTokenOf,
  endSession,
  endSessions,
  expectedSessions,
  isCsrfTokenOf,
} from "../index.ts";
import { createPeople, type People, type Person } from "../testing/index.ts";

describe("browser sessions", () => {
  const clock = testClock();
  const statements: string[] = [];
  let base: TestDatabase;
  let world: People;
  beforeAll(async () => {
    base = await testDatabase({ onQuery: (text) => statements.push(text) });
    world = await createPeople(base.database, clock);
  });
  afterAll(() => base.drop());

  const found = (token: string) => authenticateSession(base.database, token, clock.now());
  const minutes = (count: number): number => count * 60_000;
  const days = (count: number): number => minutes(count * 24 * 60);
  const rowOf = (person: Person, id: string) =>
    base.database.client.browserSession.findUnique({ where: { teamId_id: { teamId: person.actor.teamId, id } } });

  it("a session has every scope and the capabilities of its user", {
    meta: { proves: ["decision.access.sessions"] },
  }, async () => {
    const { member } = world.people;
    const { id, token } = await world.session(member);
    const actor = await found(token);
    expect(actor).toEqual({
      ...member.actor,
      scopes: new Set(["read", "write", "admin"]),
      credential: {
        kind: "session",
        id,
        name: "Browser",
        session: { csrfToken: csrfTokenOf(token), provenAt: clock.now() },
      },
      // A log-in is not asked whether assistants are let in.
      mcp: undefined,
    });
  });

  it("the expected caller of a session is the one before, and nobody once it has ended", async () => {
    const { member } = world.people;
    const { id, token } = await world.session(member);
    const sessions = expectedSessions(base.database);
    expect(sessions.expect(token, clock.now())).toBeUndefined();
    const actor = await sessions.authenticate(token, clock.now());
    expect(actor).toEqual(await found(token));
    const lookUp = async (): Promise<[accepts: boolean, actor: unknown]> => {
      const expected = sessions.expect(token, clock.now());
      if (expected === undefined) throw new Error("the session is not known");
      const { statement, accepts } = expected.inTransaction;
      return [accepts(await base.database.beforeTeam.rows(statement)), await expected.confirm()];
    };
    expect(await lookUp()).toEqual([true, actor]);
    await endSession(base.database, member.actor.teamId, id);
    expect(await lookUp()).toEqual([false, null]);
    expect(sessions.expect(token, clock.now())).toBeUndefined();
    expect(await sessions.authenticate(token, clock.now())).toBeNull();
    expect(await sessions.authenticate("no token", clock.now())).toBeNull();
  });

  it("a token is 32 random bytes, of which only the hash is stored", {
    meta: { proves: ["decision.access.sessions"] },
  }, async () => {
    const { member } = world.people;
    const { id, token } = await world.session(member);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const row = await rowOf(member, id);
    expect(row?.hash).toHaveLength(32);
    const stored = JSON.stringify(row);
    for (const secret of [token, csrfTokenOf(token)]) expect(stored).not.toContain(secret);
    expect(Buffer.from(row?.hash ?? []).equals(Buffer.from(token, "base64url"))).toBe(false);
  });

  it("a malformed token costs no look-up, and an unknown one is rejected", async () => {
    statements.length = 0;
    for (const text of ["", "x", `${"a".repeat(42)}`, `${"a".repeat(43)}=`, `${"a".repeat(42)}/`, "kb_x"]) {
      expect(await found(text)).toBeNull();
    }
    expect(statements).toEqual([]);
    expect(await found("a".repeat(43))).toBeNull();
    expect(statements).toHaveLength(1);
  });

  it("a session ends exactly 30 days after its last use", {
    meta: { proves: ["decision.access.sessions"] },
  }, async () => {
    const { token } = await world.session(world.people.viewer);
    clock.advance(days(29));
    expect(await found(token)).not.toBeNull();
    clock.advance(days(30) - 1);
    expect(await found(token)).not.toBeNull();
    clock.advance(days(30));
    expect(await found(token)).toBeNull();
  });

  it("the last use of a session is written at most once a minute, even with 20 concurrent requests", async () => {
    const { editor } = world.people;
    const { id, token } = await world.session(editor);
    const startedAt = clock.now();
    clock.advance(minutes(1) - 1);
    statements.length = 0;
    await found(token);
    expect(statements.filter((text) => text.includes("UPDATE"))).toHaveLength(0);
    expect((await rowOf(editor, id))?.lastSeenAt).toEqual(startedAt);
    clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, () => found(token)));
    const written = await rowOf(editor, id);
    expect(written?.lastSeenAt).toEqual(clock.now());
    expect(written?.expiresAt).toEqual(new Date(clock.now().getTime() + days(30)));
    statements.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => found(token)));
    expect(statements.filter((text) => text.includes("UPDATE"))).toHaveLength(0);
  });

  it("a single session, or all sessions of a user except one, can be ended", async () => {
    const { member, editor } = world.people;
    const [first, kept, third, other] = await Promise.all(
      [member, member, member, editor].map((person) => world.session(person)),
    );
    if (!first || !kept || !third || !other) throw new Error("four were made");
    const { teamId } = member.actor;
    expect(await endSession(base.database, teamId, first.id)).toBe(true);
    expect(await endSession(base.database, teamId, first.id)).toBe(false);
    expect(await found(first.token)).toBeNull();
    await endSessions(base.database, teamId, member.id, kept.id);
    expect([await found(kept.token), await found(third.token), await found(other.token)]).toEqual([
      expect.objectContaining({ userId: member.id }),
      null,
      expect.objectContaining({ userId: editor.id }),
    ]);
    await endSessions(base.database, teamId, member.id);
    expect(await found(kept.token)).toBeNull();
  });

  it("the session of a suspended user stops at once, and works again after the suspension", {
    meta: { proves: ["decision.access.sessions"] },
  }, async () => {
    const { member } = world.people;
    const { token } = await world.session(member);
    const where = { teamId_id: { teamId: member.actor.teamId, id: member.id } };
    await base.database.client.user.update({ where, data: { suspendedAt: clock.now() } });
    expect(await found(token)).toBeNull();
    await base.database.client.user.update({ where, data: { suspendedAt: null } });
    expect(await found(token)).not.toBeNull();
  });

  it("a login stores its client address and 300 characters of its user agent, and deletes the user's expired sessions", async () => {
    const { viewer } = world.people;
    const who = { teamId: viewer.actor.teamId, userId: viewer.id };
    const old = await createSession(base.database, who, clock.now());
    clock.advance(days(30));
    const { id } = await createSession(
      base.database,
      { ...who, address: "203.0.113.7", userAgent: "Mozilla".repeat(100) },
      clock.now(),
    );
    expect(await rowOf(viewer, old.id)).toBeNull();
    const row = await rowOf(viewer, id);
    expect(row).toMatchObject({ address: "203.0.113.7" });
    expect(row?.userAgent).toHaveLength(300);
  });

  it("the CSRF token belongs to one session and differs from the session token", {
    meta: { proves: ["decision.access.csrf"] },
  }, async () => {
    const one = await world.session(world.people.member);
    const two = await world.session(world.people.member);
    expect(isCsrfTokenOf(one.token, one.csrf)).toBe(true);
    const altered = `${one.csrf.startsWith("x") ? "y" : "x"}${one.csrf.slice(1)}`;
    for (const wrong of ["", one.token, two.csrf, `${one.csrf}=`, one.csrf.slice(1), altered]) {
      expect(isCsrfTokenOf(one.token, wrong)).toBe(false);
    }
  });
});
