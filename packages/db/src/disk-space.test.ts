import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "./sql.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

/** Raises an error of PostgreSQL with an SQLSTATE, in a transaction. */
const fail = (state: string): Promise<unknown> =>
  test.database.transaction((tx) =>
    tx.execute(
      state === "53100"
        ? sql`DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`
        : sql`DO $$ BEGIN RAISE EXCEPTION 'another failure' USING ERRCODE = '53200'; END $$`,
    ),
  );

it("a write that fails for lack of disk space is remembered until a write succeeds", {
  meta: { proves: ["decision.api.health-disk"] },
}, async () => {
  const { database } = test;
  expect(database.isOutOfSpace()).toBe(false);
  await expect(fail("53200")).rejects.toThrow();
  expect(database.isOutOfSpace()).toBe(false);
  await expect(fail("53100")).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
  expect(database.isOutOfSpace()).toBe(true);
  await database.ping();
  expect(database.isOutOfSpace()).toBe(true);
  await database.probeSpace();
  expect(database.isOutOfSpace()).toBe(false);
  await expect(fail("53100")).rejects.toThrow();
  await database.transaction(async (tx) => tx.team.count());
  expect(database.isOutOfSpace()).toBe(false);
});
