import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { type CpuMeter, databaseMsOf, withCpuMeter } from "@kb/telemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "./sql.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

/** Returns the time of PostgreSQL that a caller is charged for a transaction of one statement with a text of this length. */
async function chargedFor(length: number): Promise<number> {
  const meter: CpuMeter = { cpuMs: 0 };
  const text = "a".repeat(length);
  const write = () => test.database.transaction((tx) => tx.rows(sql`SELECT md5(upper(${text}))`));
  await withCpuMeter(meter, write);
  return databaseMsOf(meter);
}

it("a caller pays for a long text that the trip that begins a transaction writes, at most 60 ms for a million characters", async () => {
  const charged = await chargedFor(4_000_000);
  expect(charged).toBeGreaterThan(10);
  expect(charged).toBeLessThanOrEqual(240);
  expect(await chargedFor(1_000)).toBe(0);
});
