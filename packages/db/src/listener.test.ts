import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "./sql.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase({ applicationName: "kb-listens" });
});
afterAll(() => test.drop());

const notify = (channel: string, payload: string) =>
  test.database.acrossTeams.rows(sql`SELECT pg_notify(${channel}, ${payload})::text`);

const connections = () =>
  test.database.acrossTeams.rows<{ pid: number }>(sql`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'kb-listens listen'`);

describe("a database", () => {
  it("receives committed notifications, on one connection for all channels and subscribers", async () => {
    const received: (string | null)[] = [];
    const stop = test.database.listen("one", (payload) => received.push(payload));
    test.database.listen("one", (payload) => received.push(`again ${payload}`));
    await expect.poll(() => received).toEqual([null, "again null"]);
    test.database.listen("two", (payload) => received.push(payload));
    await test.database.transaction(async (tx) => {
      await tx.rows(sql`SELECT pg_notify('one', 'first')::text`);
      await tx.rows(sql`SELECT pg_notify('one', 'first')::text`);
      expect(received).toHaveLength(2);
    });
    await expect.poll(() => received.slice(2)).toEqual(["first", "again first"]);
    await notify("two", "second");
    await expect.poll(() => received.at(-1)).toBe("second");
    stop();
    await notify("one", "third");
    await expect.poll(() => received.at(-1)).toBe("again third");
    expect(received).not.toContain("third");
    expect(await connections()).toHaveLength(1);
  });

  it("reconnects after its connection is cut, reports possibly missed notifications, and goes on", async () => {
    const received: (string | null)[] = [];
    test.database.listen("cut", (payload) => received.push(payload));
    await expect
      .poll(async () => {
        await notify("cut", "before");
        return received.at(-1);
      })
      .toBe("before");
    const [connection] = await connections();
    await test.database.acrossTeams.rows(sql`SELECT pg_terminate_backend(${connection?.pid ?? 0}::int)`);
    await expect.poll(() => received.at(-1), { timeout: 10_000 }).toBe(null);
    await notify("cut", "after");
    await expect.poll(() => received.at(-1)).toBe("after");
  });
});
