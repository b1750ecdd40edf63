import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { connect, type Database } from "./database.ts";
import { newId } from "./ids.ts";
import { lastStatement } from "./last-statement.ts";
import { sql } from "./sql.ts";
import { type TestDatabase, testDatabase } from "./testing/index.ts";

let test: TestDatabase;
/** A database with one connection, so that a connection that is not released stops the next test. */
let single: Database;
const sent: string[] = [];
beforeAll(async () => {
  test = await testDatabase();
  const onQuery = (text: string, _: readonly unknown[], beginsTrip: boolean) =>
    void sent.push(`${beginsTrip ? "*" : "+"} ${text.slice(0, 6)}`);
  single = connect({ url: test.url, poolMax: 1, onQuery });
  await single.client.team.count();
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(async () => {
  await single.close();
  await test.drop();
});

const insertTeam = (id: string) => sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'Team') RETURNING name`;
const broken = sql`SELECT 1 / 0 AS nothing`;
const exists = async (id: string): Promise<boolean> =>
  (await single.rows(sql`SELECT 1 FROM teams WHERE id = ${id}::uuid`)).length === 1;

it("a statement for the next round trip is sent before the next statement, which returns its own rows", async () => {
  const id = newId();
  const rows = await single.transaction(async (tx) => {
    tx.executeWithNext(insertTeam(id));
    return tx.rows(sql`SELECT name FROM teams WHERE id = ${id}::uuid`);
  });
  expect(rows).toEqual([{ name: "Team" }]);
  expect(sent).toEqual(["* BEGIN", "+ INSERT", "+ SELECT", "* COMMIT"]);
});

it("it is sent with the last statement and COMMIT, or with COMMIT alone", async () => {
  const first = newId();
  const second = newId();
  const third = newId();
  await single.transaction(async (tx) => {
    tx.executeWithNext(insertTeam(first));
    return lastStatement(insertTeam(second), () => undefined);
  });
  await single.transaction(async (tx) => tx.executeWithNext(insertTeam(third)));
  expect(sent).toEqual(["* BEGIN", "+ INSERT", "+ INSERT", "+ COMMIT", "* BEGIN", "+ INSERT", "+ COMMIT"]);
  expect([await exists(first), await exists(second), await exists(third)]).toEqual([true, true, true]);
});

it("it is sent before the query of a model", async () => {
  const id = newId();
  const found = await single.transaction(async (tx) => {
    tx.executeWithNext(insertTeam(id));
    return tx.team.findUnique({ where: { id } });
  });
  expect(found?.name).toBe("Team");
});

it("nothing is written where it fails, and the next statement rejects, or the transaction", async () => {
  const id = newId();
  const beforeNext = single.transaction(async (tx) => {
    await tx.execute(insertTeam(id));
    tx.executeWithNext(broken);
    await expect(tx.rows(sql`SELECT 1 AS one`)).rejects.toMatchObject({ code: "22012" });
    throw new Error("rejected");
  });
  await expect(beforeNext).rejects.toThrow("rejected");
  const beforeModel = single.transaction(async (tx) => {
    await tx.execute(insertTeam(id));
    tx.executeWithNext(broken);
    await tx.team.findUnique({ where: { id } });
  });
  await expect(beforeModel).rejects.toThrow("division by zero");
  const atEnd = single.transaction(async (tx) => {
    await tx.execute(insertTeam(id));
    tx.executeWithNext(broken);
  });
  await expect(atEnd).rejects.toMatchObject({ code: "22012" });
  expect(await exists(id)).toBe(false);
});

it("it is not sent where the function throws before", async () => {
  const id = newId();
  const work = single.transaction(async (tx) => {
    tx.executeWithNext(insertTeam(id));
    throw new Error("stopped");
  });
  await expect(work).rejects.toThrow("stopped");
  expect(sent).toEqual([]);
  expect(await exists(id)).toBe(false);
});
