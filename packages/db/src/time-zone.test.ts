import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "./database.ts";
import { newId } from "./ids.ts";
import { sql } from "./sql.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
  const name = new URL(test.url).pathname.slice(1);
  await test.database.execute(sql([`ALTER DATABASE "${name}" SET timezone = 'America/New_York'`]));
});
afterAll(() => test.drop());

/** Such an address as it stands, and one that asks for something of its own. */
const addresses = (): string[] => {
  const own = new URL(test.url);
  own.searchParams.set("options", "-c work_mem=5MB");
  return [test.url, own.href];
};

it("a time stays the same in every time zone of the server, however it is written and read", async () => {
  // In New York no clock shows 2:30 that night.
  const at = new Date("2026-03-08T02:30:00.123Z");
  for (const url of addresses()) {
    const database = connect({ url, applicationName: "kb-test" });
    const id = newId();
    const seen = async () => [
      (await database.client.team.findUniqueOrThrow({ where: { id } })).createdAt,
      ...(await database.rows<{ at: Date }>(sql`SELECT "createdAt" AS at FROM teams WHERE id = ${id}::uuid`)).map(
        (row) => row.at,
      ),
    ];
    await database.client.team.create({ data: { id, name: "In New York", createdAt: at } });
    expect(await seen()).toEqual([at, at]);
    await database.execute(sql`UPDATE teams SET "createdAt" = ${at} WHERE id = ${id}::uuid`);
    expect(await seen()).toEqual([at, at]);
    await database.close();
  }
});

it("keeps the session options of the URL", async () => {
  const [, url = ""] = addresses();
  const database = connect({ url, applicationName: "kb-test" });
  const [session] = await database.rows(
    sql`SELECT current_setting('work_mem') AS memory, current_setting('TimeZone') AS zone`,
  );
  expect(session).toEqual({ memory: "5MB", zone: "UTC" });
  await database.close();
});
