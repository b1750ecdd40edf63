import { setTimeout as pause } from "node:timers/promises";
import { newId, sql, stampChange } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweep } from "../retention/sweep.ts";
import { advanceCursors } from "./advance-cursors.ts";
import type { ChangeConsumer } from "./consumer.ts";
import { readConsumerLags } from "./lag.ts";
import { findLateConsumers } from "./late-consumers.ts";

const day = 24 * 60 * 60 * 1000;

let test: TestDatabase;
const clock = testClock();
beforeAll(async () => {
  test = await testDatabase();
  await test.database.acrossTeams.execute(
    sql`CREATE TABLE handled (consumer text, "teamId" uuid, id uuid, place bigint)`,
  );
});
beforeEach(async () => {
  for (const table of ["handled", "events", "change_cursors", "team_clocks"]) {
    await test.database.acrossTeams.execute(sql([`DELETE FROM ${table}`]));
  }
});
afterAll(() => test.drop());

const serviceOf = () => ({ database: test.database, clock, appUrl: "http://localhost:3000" });

async function newTeam(): Promise<string> {
  const id = newId();
  await test.database.acrossTeams.execute(sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'Team')`);
  return id;
}

/** Commits one change of a team, after a pause inside its transaction. */
async function change(teamId: string, pauseMs = 0): Promise<void> {
  await test.database.transaction(async (tx) => {
    const { sequence, at } = await stampChange(tx, teamId, clock.now());
    await pause(pauseMs);
    const data = { teamId, id: newId(), sequence, type: "tag.created", at, actor: {}, data: {} };
    await tx.event.create({ data });
  });
}

/** A consumer that records the events it handles, in the same transaction as its cursor. */
const recorder = (name: string): ChangeConsumer => ({
  name,
  consume: async (tx, { teamId, events }) => {
    const ids = events.map(({ id }) => id);
    await tx.execute(sql`INSERT INTO handled (consumer, "teamId", id, place)
      SELECT ${name}, ${teamId}::uuid, id, sequence FROM events WHERE "teamId" = ${teamId}::uuid AND id = ANY(${ids}::uuid[])`);
    return true;
  },
});

type Handled = { readonly teamId: string; readonly place: number };

const handledBy = (name: string): Promise<Handled[]> =>
  test.database.rows<Handled>(
    sql`SELECT "teamId", place FROM handled WHERE consumer = ${name} ORDER BY "teamId", place`,
  );

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe("sequences", () => {
  it("a reader that has seen an event never finds a smaller one later, while writers commit in parallel", async () => {
    const teamId = await newTeam();
    const perWriter = 40;
    const writers = upTo(4).map(async () => {
      for (let count = 0; count < perWriter; count += 1) await change(teamId, Math.random() * 4);
    });
    let writing = true;
    const written = Promise.all(writers).finally(() => {
      writing = false;
    });
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      const rows = await test.database.rows<{ sequence: number }>(sql`SELECT sequence FROM events
        WHERE "teamId" = ${teamId}::uuid AND sequence > ${seen.at(-1) ?? 0} ORDER BY sequence`);
      seen.push(...rows.map(({ sequence }) => sequence));
    };
    while (writing) await read();
    await written;
    await read();
    expect(seen).toEqual(upTo(4 * perWriter));
  });
});

describe("a consumer", () => {
  it("handles each event once and in order, while several workers advance its cursor and writers commit", async () => {
    const teams = [await newTeam(), await newTeam(), await newTeam()];
    const all = [recorder("one"), recorder("two")];
    let writing = true;
    const written = Promise.all(
      teams.flatMap((teamId) =>
        upTo(2).map(async () => {
          for (let count = 0; count < 150; count += 1) await change(teamId);
        }),
      ),
    ).finally(() => {
      writing = false;
    });
    const workers = upTo(3).map(async () => {
      while (writing) await advanceCursors(serviceOf(), all);
    });
    await Promise.all([written, ...workers]);
    while ((await advanceCursors(serviceOf(), all)) > 0);
    for (const { name } of all) {
      const handled = await handledBy(name);
      for (const teamId of teams) {
        expect(handled.flatMap((row) => (row.teamId === teamId ? [row.place] : []))).toEqual(upTo(300));
      }
    }
  });

  it("that fails keeps its place, holds up no other, and goes on where it was", async () => {
    const teamId = await newTeam();
    for (const _ of upTo(3)) await change(teamId);
    const broken = { name: "broken", consume: () => Promise.reject(new Error("not today")) };
    const later = { name: "later", consume: () => Promise.resolve(false) };
    await expect(advanceCursors(serviceOf(), [broken, later, recorder("sound")])).rejects.toThrow("not today");
    expect(await handledBy("sound")).toHaveLength(3);
    await change(teamId);
    await advanceCursors(serviceOf(), [recorder("broken"), recorder("later"), recorder("sound")]);
    for (const name of ["broken", "later", "sound"]) {
      expect((await handledBy(name)).map(({ place }) => place)).toEqual(upTo(4));
    }
  });

  it("passes a number of the clock that belongs to no event", async () => {
    const teamId = await newTeam();
    await change(teamId);
    await test.database.transaction((tx) => stampChange(tx, teamId, clock.now(), 5));
    await advanceCursors(serviceOf(), [recorder("one")]);
    const cursors = await test.database.rows(sql`SELECT sequence FROM change_cursors WHERE "teamId" = ${teamId}::uuid`);
    expect(cursors).toEqual([{ sequence: 6 }]);
    expect(await advanceCursors(serviceOf(), [recorder("one")])).toBe(0);
  });
});

describe("events", () => {
  it("are kept past their time until every consumer has read them, and the one that lags is named", async () => {
    const teamId = await newTeam();
    for (const _ of upTo(5)) await change(teamId);
    clock.advance(31 * day);
    const kept = (): Promise<number> => test.database.client.event.count({ where: { teamId } });
    expect((await sweep(serviceOf(), { trashRetentionDays: 0 })).events).toBeUndefined();
    expect(await kept()).toBe(5);
    expect(await findLateConsumers(serviceOf())).toEqual([
      { consumer: "webhooks", events: 5, oldestSeconds: expect.closeTo((31 * day) / 1000, -2) },
    ]);
    await change(teamId);
    while ((await advanceCursors(serviceOf())) > 0);
    expect(await sweep(serviceOf(), { trashRetentionDays: 0 })).toMatchObject({ events: 5 });
    expect(await kept()).toBe(1);
    expect(await findLateConsumers(serviceOf())).toEqual([]);
    expect(await readConsumerLags(serviceOf())).toEqual([{ consumer: "webhooks", events: 0, oldestSeconds: 0 }]);
  });
});
