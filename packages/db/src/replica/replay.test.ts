import { describe, expect, it } from "vitest";
import { maxGapMs, maxLagMs, Replay } from "./replay.ts";

const of = { system: "7300000000000000000", database: 16_384, startedAt: 1, timeline: 1 };
const primary = (position: number, more: object = {}) => ({ ...of, position, ...more });
const replica = (position: number | null, more: object = {}) => ({
  ...of,
  inRecovery: true,
  position,
  quietMs: null,
  ...more,
});

/** Returns one that is proven at the time 0. */
function proven(position = 100): Replay {
  const replay = new Replay();
  expect(replay.check(primary(position), replica(position), 0)).toEqual({ state: "ok", lagMs: 0 });
  return replay;
}

/** Checks once a second until a time, at which nothing has changed since the first of these checks. */
function followUntil(replay: Replay, of: ReturnType<typeof primary>, by: ReturnType<typeof replica>, end: number) {
  for (let now = 1_000; now < end; now += 1_000) replay.check(of, by, now);
  return replay.check(of, by, end);
}

it("the lag is the time since the primary had a position that the replica has not replayed", () => {
  const replay = proven();
  expect(replay.check(primary(200), replica(150), 1_000)).toEqual({ state: "ok", lagMs: 0 });
  expect(replay.check(primary(300), replica(150), 2_000)).toEqual({ state: "ok", lagMs: 1_000 });
  expect(replay.check(primary(300), replica(200), 3_000)).toEqual({ state: "ok", lagMs: 1_000 });
  expect(replay.check(primary(300), replica(300), 4_000)).toEqual({ state: "ok", lagMs: 0 });
});

it("a replica of a primary that writes nothing is not behind, however long that is", () => {
  expect(followUntil(proven(), primary(100), replica(100), 10 * maxLagMs)).toEqual({ state: "ok", lagMs: 0 });
});

it("a replica that does not follow for 30 s is lagging until it has caught up", () => {
  const replay = proven(50);
  expect(followUntil(replay, primary(100), replica(50), 1_000 + maxLagMs).state).toBe("ok");
  expect(replay.check(primary(100), replica(50), 1_001 + maxLagMs).state).toBe("lagging");
  expect(replay.check(primary(100), replica(100), 1_002 + maxLagMs).state).toBe("ok");
});

it("the first check tells how far a replica is behind by the last transaction that it has replayed", () => {
  const quietMs = 40_000;
  expect(new Replay().check(primary(100), replica(50, { quietMs }), 0)).toEqual({ state: "lagging", lagMs: quietMs });
  expect(new Replay().check(primary(100), replica(100, { quietMs }), 0)).toEqual({ state: "ok", lagMs: 0 });
});

describe("a replica has to prove that it is on the history of the primary", () => {
  it("at the start: by replaying what the primary had at the first check", () => {
    const replay = new Replay();
    expect(replay.check(primary(100), replica(99), 0).state).toBe("unproven");
    expect(replay.check(primary(200), replica(99), 1_000).state).toBe("unproven");
    expect(replay.check(primary(300), replica(100), 2_000).state).toBe("ok");
    expect(replay.check(primary(900), replica(100), 3_000).state).toBe("ok");
  });

  it.each([
    ["the primary was started", primary(500, { startedAt: 2 }), replica(450)],
    ["the replica was started", primary(500), replica(450, { startedAt: 2 })],
    ["the primary is on another timeline", primary(500, { timeline: 2 }), replica(450)],
  ])("again after %s, although it was used before", (_what, server, standby) => {
    const replay = proven(450);
    expect(replay.check(server, standby, 1_000).state).toBe("unproven");
    // The log that it lost in a failover was replaced long ago.
    expect(replay.check({ ...server, position: 900 }, standby, 2_000).state).toBe("unproven");
    const { timeline } = server;
    expect(replay.check({ ...server, position: 900 }, { ...standby, position: 500, timeline }, 3_000).state).toBe("ok");
  });

  it("again after a time without checks", () => {
    const replay = proven();
    expect(replay.check(primary(200), replica(150), maxGapMs).state).toBe("ok");
    expect(replay.check(primary(300), replica(250), 2 * maxGapMs + 1).state).toBe("unproven");
    expect(replay.check(primary(400), replica(300), 2 * maxGapMs + 2).state).toBe("ok");
  });

  it("by its timeline, too: one that follows the server that was left grows beyond every position", () => {
    const replay = new Replay();
    expect(replay.check(primary(100, { timeline: 2 }), replica(100), 0).state).toBe("unproven");
    expect(replay.check(primary(100, { timeline: 2 }), replica(100, { timeline: 2 }), 1_000).state).toBe("ok");
  });
});

it("a replica that has replayed what a new primary does not have stays out until it was copied again", () => {
  const replay = proven(500);
  expect(replay.check(primary(450, { startedAt: 2 }), replica(500), 1_000).state).toBe("diverged");
  expect(replay.check(primary(900, { startedAt: 2 }), replica(500), 2_000).state).toBe("diverged");
  expect(replay.check(primary(900, { startedAt: 2 }), replica(900, { startedAt: 2 }), 3_000).state).toBe("ok");
});

it("a replica that follows a server that was promoted beside the primary stays out until that one is the primary", () => {
  const replay = proven(500);
  expect(replay.check(primary(600), replica(550, { timeline: 2 }), 1_000).state).toBe("diverged");
  expect(replay.check(primary(900), replica(560, { timeline: 2 }), 2_000).state).toBe("diverged");
  const promoted = primary(570, { timeline: 2, startedAt: 2 });
  expect(replay.check(promoted, replica(565, { timeline: 2 }), 3_000).state).toBe("unproven");
  expect(replay.check(promoted, replica(570, { timeline: 2 }), 4_000).state).toBe("ok");
});

it("a replica that is ahead of the primary is refused at the first check", () => {
  expect(new Replay().check(primary(499), replica(500), 0).state).toBe("diverged");
});

it("another server, another database and a server that is not in recovery are no replicas", () => {
  const replay = new Replay();
  expect(replay.check(primary(100), replica(100, { system: "1" }), 0).state).toBe("another_database");
  expect(replay.check(primary(100), replica(100, { database: 5 }), 0).state).toBe("another_database");
  expect(replay.check(primary(100), replica(100, { inRecovery: false }), 0).state).toBe("not_in_recovery");
});

it("a server that tells no position is judged by the clocks of the teams", () => {
  expect(new Replay().check(primary(100), replica(null), 0)).toEqual({ state: "ok", lagMs: 0 });
});
