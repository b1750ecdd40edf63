import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "./database.ts";
import { isForeignKeyViolation } from "./errors.ts";
import { newId } from "./ids.ts";
import { type LastStatement, lastStatement } from "./last-statement.ts";
import { type Statement, sql } from "./sql.ts";
import { type TestDatabase, testDatabase } from "./testing/index.ts";
import type { Tx } from "./transaction.ts";

let test: TestDatabase;
/** A database with one connection, so that a connection that is not released stops the next test. */
let single: Database;
const sent: { text: string; values: readonly unknown[]; beginsTrip: boolean }[] = [];
beforeAll(async () => {
  test = await testDatabase();
  const onQuery = (text: string, values: readonly unknown[], beginsTrip: boolean) =>
    void sent.push({ text, values, beginsTrip });
  single = connect({ url: test.url, poolMax: 1, onQuery });
});
afterAll(async () => {
  await single.close();
  await test.drop();
});

const insertTeam = (id: string) => sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'Team') RETURNING name`;
const exists = async (id: string): Promise<boolean> =>
  (await single.rows(sql`SELECT 1 FROM teams WHERE id = ${id}::uuid`)).length === 1;
type Row = { name: string };
const returning = (statement: Statement): LastStatement<readonly Row[]> =>
  lastStatement<Row, readonly Row[]>(statement, (rows) => rows);
const caught = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);

it("the last statement commits in its own round trip, also when it is the first", async () => {
  const first = newId();
  const second = newId();
  const third = newId();
  await single.transaction(async () => returning(insertTeam(third)));
  sent.length = 0;
  const rows = await single.transaction(async (tx) => {
    await tx.execute(insertTeam(first));
    return returning(insertTeam(second));
  });
  expect(rows).toEqual([{ name: "Team" }]);
  const trips = sent.map(({ text, beginsTrip }) => `${beginsTrip ? "*" : "+"} ${text.slice(0, 6)}`);
  expect(trips).toEqual(["* BEGIN", "+ INSERT", "* INSERT", "+ COMMIT"]);
  expect([await exists(first), await exists(second), await exists(third)]).toEqual([true, true, true]);
});

it("it is sent after every other statement, and run earlier it leaves the commit to the transaction", async () => {
  const last = newId();
  const other = newId();
  sent.length = 0;
  await single.transaction(async (tx) => {
    const ending = returning(insertTeam(last));
    await tx.execute(insertTeam(other));
    return ending;
  });
  const inserted = sent.filter(({ text }) => text.startsWith("INSERT"));
  expect(inserted.map(({ values }) => values)).toEqual([[other], [last]]);
  const early = newId();
  sent.length = 0;
  const rows = await single.transaction(async (tx) => {
    const result = await returning(insertTeam(early)).runBy(tx.rows);
    await tx.rows(sql`SELECT 1 AS one`);
    return result;
  });
  expect(rows).toEqual([{ name: "Team" }]);
  expect(sent.map(({ text }) => text.slice(0, 6))).toEqual(["BEGIN", "INSERT", "SELECT", "COMMIT"]);
  expect([await exists(last), await exists(other), await exists(early)]).toEqual([true, true, true]);
});

it("a statement that is sent once the function has returned is refused", async () => {
  const id = newId();
  const leaked = await single.transaction(async (tx) => lastStatement<Row, Tx>(insertTeam(id), () => tx));
  await expect(leaked.rows(sql`SELECT 1 AS one`)).rejects.toThrow("the transaction has ended");
  expect(await exists(id)).toBe(true);
});

it("nothing is written if the last statement fails, or an earlier one whose error is caught", async () => {
  const failed = newId();
  const ignored = newId();
  const broken = sql`SELECT 1 / 0 AS nothing`;
  const work = single.transaction(async (tx) => {
    await tx.execute(insertTeam(failed));
    return returning(broken);
  });
  await expect(work).rejects.toMatchObject({ code: "22012" });
  const ignoring = single.transaction(async (tx) => {
    await tx.execute(insertTeam(ignored));
    await caught(tx.rows(broken));
    return returning(insertTeam(newId()));
  });
  await expect(ignoring).rejects.toMatchObject({ code: "25P02" });
  expect([await exists(failed), await exists(ignored)]).toEqual([false, false]);
});

it("nothing is written if the commit itself fails", async () => {
  const teamId = newId();
  const body = sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    VALUES (${teamId}::uuid, ${newId()}::uuid, '{}', '', '', '', '')`;
  const work = single.transaction(async (tx) => {
    await tx.execute(insertTeam(teamId));
    return returning(body);
  });
  expect(isForeignKeyViolation(await caught(work))).toBe(true);
  expect(await exists(teamId)).toBe(false);
});
