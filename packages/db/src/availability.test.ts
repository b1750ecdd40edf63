import { setImmediate } from "node:timers/promises";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { useEventLoopTime } from "@kb/testing/event-loop-time";
import { type FaultProxy, faultProxy } from "@kb/testing/fault-proxy";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "./database.ts";
import { newId } from "./ids.ts";
import { migrate, migrationStatus } from "./migrations.ts";
import { sql } from "./sql.ts";

describe("an unavailable PostgreSQL", () => {
  let test: TestDatabase;
  let proxy: FaultProxy;
  let database: Database;

  let restoreClock: () => void;
  beforeAll(async () => {
    test = await testDatabase();
    // Those of the pools, and the limits below, on a machine that is as busy as it likes.
    restoreClock = useEventLoopTime();
    proxy = await faultProxy(test.url);
    database = connect({ url: proxy.url, poolMax: 4 });
    await fill();
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await database.close();
    await proxy.close();
    await test.drop();
    restoreClock();
  });

  // Every connection of the pool open and idle, as in a service at work.
  const fill = () => Promise.all(Array.from({ length: 4 }, () => database.rows(sql`SELECT pg_sleep(0.05)`)));

  const calls: Record<string, () => Promise<unknown>> = {
    "a raw read": () => database.rows(sql`SELECT 1`),
    "a model": () => database.client.team.findUnique({ where: { id: newId() } }),
    "a transaction": () => database.transaction(async (tx) => tx.team.count()),
    "a raw transaction": () => database.transaction(async (tx) => tx.rows(sql`SELECT 1`)),
    "a read transaction": () => database.readTransaction(async (tx) => tx.rows(sql`SELECT 1`)),
    "a ping": () => database.ping(),
  };
  const names = Object.keys(calls);

  async function outcome(name: string): Promise<{ error: unknown; ms: number }> {
    const start = performance.now();
    const error = await calls[name]?.().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { error, ms: performance.now() - start };
  }

  async function expectUnavailable(): Promise<void> {
    for (const { error, ms } of await Promise.all(names.map(outcome))) {
      expect(error).toMatchObject({ name: "DatabaseUnavailableError", cause: expect.anything() });
      expect(ms).toBeLessThan(3_600);
    }
  }

  async function expectRecovery(): Promise<void> {
    await proxy.restore();
    const start = performance.now();
    // Not by `expect.poll`, which moves a clock of timers on.
    for (const name of names) {
      while ((await outcome(name)).error !== null) expect(performance.now() - start).toBeLessThan(5_000);
    }
  }

  it("is reported by every method when connections are refused, until it is back", async () => {
    await proxy.cut();
    await expectUnavailable();
    await expectUnavailable();
    await expectRecovery();
  });

  it("is reported within 3.5 s when it stops responding, on idle and new connections, until it is back", async () => {
    await fill();
    proxy.pause();
    await expectUnavailable();
    await expectUnavailable();
    await expectRecovery();
  });

  it("ends running statements and transactions, and nothing else of the process", async () => {
    const id = newId();
    const work = [
      database.rows(sql`SELECT pg_sleep(5)`),
      database.transaction(async (tx) => {
        await tx.team.create({ data: { id, name: "lost" } });
        await tx.rows(sql`SELECT pg_sleep(5)`);
      }),
    ];
    const settled = Promise.allSettled(work);
    while ((await running("SELECT pg_sleep(5)")) !== 2) await setImmediate();
    proxy.reset();
    for (const result of await settled) {
      expect(result).toMatchObject({ status: "rejected", reason: { name: "DatabaseUnavailableError" } });
    }
    await expectRecovery();
    expect(await database.client.team.findUnique({ where: { id } })).toBeNull();
  });

  const running = async (text: string): Promise<number | undefined> => {
    const query = sql`SELECT count(*) AS n FROM pg_stat_activity WHERE query = ${text} AND datname = current_database()`;
    return (await test.database.rows<{ n: number }>(query))[0]?.n;
  };

  it("is available to the next call after an administrator ended the sessions", async () => {
    await fill();
    await test.database.rows(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kb'`);
    await expectRecovery();
  });

  it("is not reported for a server that is only slow", async () => {
    proxy.delay(250);
    expect(await database.rows(sql`SELECT pg_sleep(4), 1 AS one`)).toMatchObject([{ one: 1 }]);
  });

  it("is reported when a statement exceeds its timeout", async () => {
    const impatient = connect({ url: test.url, statementTimeoutMs: 100 });
    await expect(impatient.rows(sql`SELECT pg_sleep(5)`)).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
    await impatient.close();
  });

  it("is reported when all connections are in use for 3 s", async () => {
    const single = connect({ url: test.url, poolMax: 1 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holding = single.transaction(() => held);
    const start = performance.now();
    const waiting = [single.ping(), single.transaction(async (tx) => tx.team.count())];
    for (const result of await Promise.allSettled(waiting)) {
      expect(result).toMatchObject({ status: "rejected", reason: { name: "DatabaseUnavailableError" } });
    }
    expect(performance.now() - start).toBeLessThan(3_600);
    release();
    await holding;
    await single.close();
  });

  it("is reported when PostgreSQL has no connection left", async () => {
    const role = `few_${newId().replaceAll("-", "")}`;
    await test.database.acrossTeams.execute(sql([`CREATE ROLE ${role} LOGIN PASSWORD 'x' CONNECTION LIMIT 1`]));
    const url = new URL(test.url);
    url.username = role;
    url.password = "x";
    const first = connect({ url: url.href });
    const second = connect({ url: url.href });
    await first.ping();
    await expect(second.ping()).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
    await Promise.all([first.close(), second.close()]);
  });

  it("does not prevent a process from starting; warming up is left to the first query", async () => {
    const early = connect({ url: proxy.url, applicationName: "kb-early" });
    const sessions = sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'kb-early'`;
    await proxy.cut();
    await early.warmUp();
    await expect(early.ping()).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
    await proxy.restore();
    await early.warmUp();
    expect(await early.acrossTeams.rows(sessions)).toEqual([{ count: 10 }]);
    await early.close();
  });

  it("is reported by migrate and migrationStatus", async () => {
    await proxy.cut();
    await expect(migrate(proxy.url)).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
    await expect(migrationStatus(proxy.url)).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
  });

  it("is not reported for a wrong statement, a wrong password or a missing database", async () => {
    const wrong = (change: (url: URL) => void) => {
      const url = new URL(test.url);
      change(url);
      return connect({ url: url.href });
    };
    const password = wrong((url) => (url.password = "wrong"));
    const name = wrong((url) => (url.pathname = "/nowhere"));
    for (const attempt of [() => database.rows(sql`SELECT nothing`), password.ping, name.ping]) {
      await expect(attempt()).rejects.not.toMatchObject({ name: "DatabaseUnavailableError" });
    }
    await Promise.all([password.close(), name.close()]);
  });
});
