import { addBodyBytes, addCpuTime, type CpuMeter, withCpuMeter } from "@kb/telemetry";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Database } from "./database.ts";
import { newId } from "./ids.ts";
import { sql } from "./sql.ts";
import { type TestDatabase, testDatabase } from "./testing/index.ts";

describe("a request whose caller takes turns", () => {
  let test: TestDatabase;
  let database: Database;
  let begun = 0;
  let ended = 0;

  beforeAll(async () => {
    test = await testDatabase();
    database = connect({ url: test.url, poolMax: 5 });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });
  beforeEach(() => {
    begun = 0;
    ended = 0;
  });

  /** Runs work as the request of a caller whose turns come at once. */
  function asCaller<T>(work: () => Promise<T>): Promise<T> {
    const takeTurn = async () => ({
      countTime: () => {
        begun += 1;
      },
      end: () => {
        ended += 1;
      },
    });
    return withCpuMeter({ cpuMs: 0, takeTurn }, work);
  }

  const model = () => database.client.team.findUnique({ where: { id: newId() } });
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    "a raw read": () => database.beforeTeam.rows(sql`SELECT 1`),
    "a model": async () => await model(),
    "a transaction": () => database.transaction(async (tx) => tx.rows(sql`SELECT 1`)),
    "a transaction that fails": () =>
      database.transaction(() => Promise.reject(new Error("planned"))).catch(() => undefined),
    "a snapshot with a model": () =>
      database.readTransaction((tx) => tx.team.findUnique({ where: { id: newId() } }) as Promise<unknown>),
  };

  for (const [kind, work] of Object.entries(kinds)) {
    it(`takes one for ${kind}, and ends it with the connection`, async () => {
      await asCaller(work);
      await expect.poll(() => ({ begun, ended })).toEqual({ begun: 1, ended: 1 });
    });
  }

  it("takes none inside of a transaction, for which it would wait itself", async () => {
    await asCaller(() => database.transaction(async () => void (await kinds["a raw read"]?.())));
    await expect.poll(() => ({ begun, ended })).toEqual({ begun: 1, ended: 1 });
  });

  it("counts its costs inside of a transaction as outside", async () => {
    const meter: CpuMeter = { cpuMs: 1, takeTurn: async () => ({ countTime: () => {}, end: () => {} }) };
    await withCpuMeter(meter, () =>
      database.transaction(async () => {
        addCpuTime(2);
        addBodyBytes(3);
      }),
    );
    expect(meter).toMatchObject({ cpuMs: 3, bodyBytes: 3 });
  });

  it("gets the error of a turn that does not come, and holds no connection", async () => {
    const refused = new Error("too many wait");
    const takeTurn = () => Promise.reject(refused);
    const runs = Object.values(kinds).filter((_, place) => place !== 3);
    for (let n = 0; n < 5; n += 1) {
      for (const run of runs) {
        const error = await withCpuMeter({ cpuMs: 0, takeTurn }, run).catch((thrown: unknown) => thrown);
        expect(error).toBe(refused);
      }
    }
    for (const run of runs) await run();
  });
});
