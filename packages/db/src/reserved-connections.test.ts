import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "./database.ts";
import { newId } from "./ids.ts";
import { sql } from "./sql.ts";

describe("the reserved connections of a pool", () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await testDatabase();
    database = connect({ url: test.url, poolMax: 5 });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  /** Holds connections until the returned function is called. */
  async function hold(count: number): Promise<() => Promise<void>> {
    const released = Promise.withResolvers<void>();
    const started: Promise<void>[] = [];
    const held = Array.from({ length: count }, () => {
      const holding = Promise.withResolvers<void>();
      started.push(holding.promise);
      return database.transaction(async (tx) => {
        await tx.rows(sql`SELECT 1`);
        holding.resolve();
        await released.promise;
      });
    });
    await Promise.all(started);
    return async () => {
      released.resolve();
      await Promise.all(held);
    };
  }

  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    "a raw read": () => database.rows(sql`SELECT 1`),
    "a model": () => database.client.team.findUnique({ where: { id: newId() } }),
    "a transaction": () => database.transaction(async (tx) => tx.rows(sql`SELECT 1`)),
  };

  it("are left when requests use all others, which then get an error in time", {
    meta: { proves: ["decision.running.reserved-connections"] },
  }, async () => {
    const release = await hold(4);
    const runs = Object.values(kinds);
    const refused = runs.map((run) => expect(run()).rejects.toMatchObject({ name: "DatabaseUnavailableError" }));
    for (const run of runs) await database.withReservedConnections(run);
    await database.ping();
    await Promise.all(refused);
    await release();
  });

  it("are not lost to a look-up that asks for the same model in the same turn", async () => {
    const release = await hold(4);
    const find = () => database.client.team.findUnique({ where: { id: newId() } });
    await database.withReservedConnections(find);
    const refused = expect(find()).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
    expect(await database.withReservedConnections(find)).toBeNull();
    await refused;
    await release();
  });

  it("are left again after every round, and the others are served as soon as one is released", async () => {
    for (let round = 0; round < 3; round += 1) {
      const release = await hold(4);
      const waiting = Object.values(kinds).map((run) => run());
      await database.withReservedConnections(() => database.rows(sql`SELECT 1`));
      await release();
      await Promise.all(waiting);
    }
  });
});
