import { expect, it } from "vitest";
import { maxLagMs, Replay } from "./replay.ts";

const of = { system: "7300000000000000000", database: 16_384 };
const primary = (position: number) => ({ ...of, position });
const replica = (position: number | null, more: object = {}) => ({
  ...of,
  inRecovery: true,
  startedAt: 1,
  position,
  ...more,
});

it("the lag is the time since the primary had a position that the replica has not replayed", () => {
  const replay = new Replay();
  expect(replay.check(primary(100), replica(100), 0)).toEqual({ state: "ok", lagMs: 0 });
  expect(replay.check(primary(200), replica(150), 1_000)).toEqual({ state: "ok", lagMs: 0 });
  expect(replay.check(primary(300), replica(150), 2_000)).toEqual({ state: "ok", lagMs: 1_000 });
  expect(replay.check(primary(300), replica(200), 3_000)).toEqual({ state: "ok", lagMs: 1_000 });
  expect(replay.check(primary(300), replica(300), 4_000)).toEqual({ state: "ok", lagMs: 0 });
});

it("a replica of a primary that writes nothing is not behind, however long that is", () => {
  const replay = new Replay();
  replay.check(primary(100), replica(100), 0);
  expect(replay.check(primary(100), replica(100), 10 * maxLagMs)).toEqual({ state: "ok", lagMs: 0 });
});

it("a replica that does not follow for 30 s is lagging until it has caught up", () => {
  const replay = new Replay();
  replay.check(primary(100), replica(50), 0);
  expect(replay.check(primary(100), replica(50), maxLagMs).state).toBe("ok");
  expect(replay.check(primary(100), replica(50), maxLagMs + 1).state).toBe("lagging");
  expect(replay.check(primary(100), replica(100), maxLagMs + 2).state).toBe("ok");
});

it("a replica that has replayed what a new primary does not have stays out until it was copied again", () => {
  const replay = new Replay();
  replay.check(primary(500), replica(500), 0);
  expect(replay.check(primary(450), replica(500), 1_000).state).toBe("diverged");
  expect(replay.check(primary(900), replica(500), 2_000).state).toBe("diverged");
  expect(replay.check(primary(900), replica(900, { startedAt: 2 }), 3_000).state).toBe("ok");
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
