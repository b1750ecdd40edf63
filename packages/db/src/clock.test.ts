import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stamp, stampChange, stampMoment } from "./clock.ts";
import { connect } from "./database.ts";
import { newId } from "./ids.ts";
import { sql } from "./sql.ts";

describe("the stamps of a team's changes", () => {
  let test: TestDatabase;
  let teamId: string;

  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());

  const stamp = (now: Date, count?: number): Promise<Stamp> =>
    test.database.transaction((tx) => stampChange(tx, teamId, now, count));

  const newTeam = async (): Promise<void> => {
    teamId = newId();
    await test.database.client.team.create({ data: { id: teamId, name: "Team" } });
  };

  it("are the current time, or a millisecond after the last stamp if that is later", async () => {
    await newTeam();
    const now = new Date("2026-01-01T00:00:00.000Z");
    const at = (ms: number) => new Date(now.getTime() + ms);
    expect(await stamp(now)).toEqual({ at: at(0), sequence: 1n });
    expect(await stamp(now)).toEqual({ at: at(1), sequence: 2n });
    expect(await stamp(at(-60_000))).toEqual({ at: at(2), sequence: 3n });
    expect(await stamp(at(500))).toEqual({ at: at(500), sequence: 4n });
  });

  it("of a batch begin at the returned stamp, one millisecond and one number each", async () => {
    await newTeam();
    const now = new Date("2026-01-01T00:00:00.000Z");
    expect(await stamp(now, 10)).toEqual({ at: now, sequence: 1n });
    expect(await stamp(now, 5)).toEqual({ at: new Date(now.getTime() + 10), sequence: 11n });
    expect(await stamp(now)).toEqual({ at: new Date(now.getTime() + 15), sequence: 16n });
    await expect(stamp(now, 0)).rejects.toThrow(RangeError);
    await expect(stamp(now, 1.5)).rejects.toThrow(RangeError);
  });

  it("without an event advance the clock and leave no gap in the sequence", async () => {
    await newTeam();
    const now = new Date("2026-01-01T00:00:00.000Z");
    const at = (ms: number) => new Date(now.getTime() + ms);
    const moment = (from: Date) => test.database.transaction((tx) => stampMoment(tx, teamId, from));
    expect(await moment(now)).toEqual(at(0));
    expect(await stamp(now)).toEqual({ at: at(1), sequence: 1n });
    expect(await moment(at(-60_000))).toEqual(at(2));
    expect(await moment(at(500))).toEqual(at(500));
    expect(await stamp(now)).toEqual({ at: at(501), sequence: 2n });
  });

  it("leave no gap in the sequence when a transaction fails", async () => {
    await newTeam();
    const now = new Date();
    await stamp(now);
    const failing = test.database.transaction(async (tx) => {
      await stampChange(tx, teamId, now);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await stamp(now)).toMatchObject({ sequence: 2n });
  });

  it("become visible in their order under 50 parallel transactions: no reader sees a smaller one appear later", async () => {
    await newTeam();
    const writers = connect({ url: test.url, poolMax: 50, connectTimeoutMs: 20_000 });
    const seen: { name: string; createdAt: Date }[][] = [];
    let writing = true;
    const reading = (async () => {
      while (writing) {
        const rows = sql`SELECT name, "createdAt" FROM tags WHERE "teamId" = ${teamId}::uuid ORDER BY "createdAt"`;
        seen.push(await test.database.rows(rows));
      }
    })();
    const write = () =>
      writers.transaction(async (tx) => {
        const { at, sequence } = await stampChange(tx, teamId, new Date());
        await tx.rows(sql`SELECT pg_sleep(${Math.random() * 0.005})`);
        await tx.tag.create({ data: { teamId, id: newId(), name: String(sequence), createdAt: at } });
      });
    for (let round = 0; round < 4; round += 1) await Promise.all(Array.from({ length: 50 }, write));
    writing = false;
    await reading;
    await writers.close();

    const last = await test.database.client.tag.findMany({ where: { teamId }, orderBy: { createdAt: "asc" } });
    expect(last.map((tag) => tag.name)).toEqual(Array.from({ length: 200 }, (_, index) => String(index + 1)));
    expect(new Set(last.map((tag) => tag.createdAt.getTime())).size).toBe(200);
    // Every reader saw a prefix of the final list.
    for (const rows of seen)
      expect(rows.map((row) => row.name)).toEqual(last.slice(0, rows.length).map((tag) => tag.name));
    expect(new Set(seen.map((rows) => rows.length)).size).toBeGreaterThan(10);
  });
});
