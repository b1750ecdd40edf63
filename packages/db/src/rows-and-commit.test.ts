import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "./database.ts";
import { isForeignKeyViolation } from "./errors.ts";
import { newId } from "./ids.ts";
import { sql } from "./sql.ts";
import { type TestDatabase, testDatabase } from "./testing/index.ts";

let test: TestDatabase;
/** A database with one connection, so that a connection that is not released stops the next test. */
let single: Database;
const sent: { text: string; beginsTrip: boolean }[] = [];
beforeAll(async () => {
  test = await testDatabase();
  const onQuery = (text: string, _: readonly unknown[], beginsTrip: boolean) => void sent.push({ text, beginsTrip });
  single = connect({ url: test.url, poolMax: 1, onQuery });
});
afterAll(async () => {
  await single.close();
  await test.drop();
});

const insertTeam = (id: string) => sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'Team') RETURNING name`;
const exists = async (id: string): Promise<boolean> =>
  (await single.rows(sql`SELECT 1 FROM teams WHERE id = ${id}::uuid`)).length === 1;
const caught = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);

it("the last statement commits in its own round trip, also when it is the first", async () => {
  const first = newId();
  const second = newId();
  const third = newId();
  await single.transaction((tx) => tx.rowsAndCommit(insertTeam(third)));
  sent.length = 0;
  const rows = await single.transaction(async (tx) => {
    await tx.execute(insertTeam(first));
    return tx.rowsAndCommit(insertTeam(second));
  });
  expect(rows).toEqual([{ name: "Team" }]);
  const trips = sent.map(({ text, beginsTrip }) => `${beginsTrip ? "*" : "+"} ${text.slice(0, 6)}`);
  expect(trips).toEqual(["* BEGIN", "+ INSERT", "* INSERT", "+ COMMIT"]);
  expect([await exists(first), await exists(second), await exists(third)]).toEqual([true, true, true]);
});

it("a statement after it is refused, and the change stays", async () => {
  const id = newId();
  const work = single.transaction(async (tx) => {
    await tx.rowsAndCommit(insertTeam(id));
    await tx.rows(sql`SELECT 1 AS one`);
  });
  await expect(work).rejects.toThrow("the transaction has ended");
  expect(await exists(id)).toBe(true);
});

it("nothing is written if the last statement fails, even if its error is caught", async () => {
  const failed = newId();
  const ignored = newId();
  const broken = sql`SELECT 1 / 0 AS nothing`;
  const work = single.transaction(async (tx) => {
    await tx.execute(insertTeam(failed));
    await tx.rowsAndCommit(broken);
  });
  await expect(work).rejects.toMatchObject({ code: "22012" });
  const ignoring = single.transaction(async (tx) => {
    await tx.execute(insertTeam(ignored));
    await caught(tx.rowsAndCommit(broken));
  });
  await expect(ignoring).rejects.toThrow("a statement had failed, so nothing was written");
  expect([await exists(failed), await exists(ignored)]).toEqual([false, false]);
});

it("nothing is written if the commit itself fails", async () => {
  const teamId = newId();
  const body = sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    VALUES (${teamId}::uuid, ${newId()}::uuid, '{}', '', '', '', '')`;
  const work = single.transaction(async (tx) => {
    await tx.execute(insertTeam(teamId));
    await tx.rowsAndCommit(body);
  });
  expect(isForeignKeyViolation(await caught(work))).toBe(true);
  expect(await exists(teamId)).toBe(false);
});
