import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type Database, databaseNameOf, raw, sql } from "@kb/db";
import { freePort, type TestDatabase, testDatabase } from "@kb/db/testing";
import { api, type One } from "@kb/http/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { poolerFindings } from "../src/doctor/pooler.ts";
import { type PgBouncer, startPgBouncer } from "./pgbouncer.ts";
import { type Home, makeHome } from "./process.ts";

let test: TestDatabase;
let pooler: PgBouncer;
let home: Home;
let database: Database;
let client: ReturnType<typeof api>;

// Far fewer connections than the service opens, so that its statements change sessions all the time.
const sessions = 3;

beforeAll(async () => {
  test = await testDatabase();
  // Times are right only in UTC, which most servers do not have.
  const { execute } = test.database.acrossTeams;
  await execute(sql`ALTER DATABASE ${raw(databaseNameOf(test.url))} SET TimeZone = 'Asia/Kolkata'`);
  pooler = await startPgBouncer(test.url, {
    "default_pool_size = 20": `default_pool_size = ${sessions}`,
    "statement_timeout = 10000": "statement_timeout = 3000",
    "query_wait_timeout = 3": "query_wait_timeout = 60",
  });
  home = await makeHome({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: test.url });
  const { greeting } = await home.start();
  client = api(home.url, /kb_\w{36}/.exec(greeting)?.[0] ?? "");
  database = connect({ url: pooler.url, directUrl: test.url, applicationName: "test" });
});
afterAll(async () => {
  await database?.close();
  await home?.remove();
  await pooler?.stop();
  await test?.drop();
});

type Findings = readonly { readonly name: string; readonly state: string; readonly message: string }[];

describe("behind PgBouncer in transaction mode", { timeout: 120_000 }, () => {
  it("the service writes, lists and searches, while many requests share few sessions", async () => {
    const collection = await client.post<One<{ id: string }>>("/api/v1/collections", { name: "Shared" });
    const collectionId = collection.body.data.id;
    const writes = Array.from({ length: 30 }, (_, index) =>
      client.post<One<{ id: string; createdAt: string }>>("/api/v1/documents", {
        collectionId,
        title: `Otter ${index}`,
        text: "# River",
        publish: true,
      }),
    );
    const written = await Promise.all(writes);
    expect(written.map(({ status }) => status)).toEqual(written.map(() => 201));
    for (const { body } of written) expect(Math.abs(Date.parse(body.data.createdAt) - Date.now())).toBeLessThan(60_000);
    const reads = Array.from({ length: 10 }, () => [
      client.get(`/api/v1/documents?collectionId=${collectionId}&limit=100`),
      client.get("/api/v1/search?query=otter"),
      client.get("/api/v1/collections"),
    ]).flat();
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
    const users = await test.database.acrossTeams.rows<{ name: string; n: number }>(
      sql`SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> 'kb-test' GROUP BY 1`,
    );
    const shared = users.filter(({ name }) => !name.endsWith(" listen"));
    expect(shared.reduce((sum, { n }) => sum + n, 0)).toBeLessThanOrEqual(sessions);
    expect(users.find(({ name }) => name === "kb listen")).toMatchObject({ n: 1 });
  });

  it("no statement stays prepared, and no session is left with another time zone or timeout", async () => {
    const rows = await Promise.all(
      Array.from({ length: 20 }, () =>
        database.transaction((tx) =>
          tx.rows<{ prepared: number; zone: string; timeout: string }>(
            sql`SELECT (SELECT count(*)::int FROM pg_prepared_statements WHERE name <> '') AS prepared,
              current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS timeout`,
          ),
        ),
      ),
    );
    expect([...new Set(rows.flat().map((row) => JSON.stringify(row)))]).toEqual([
      JSON.stringify({ prepared: 0, zone: "UTC", timeout: "3s" }),
    ]);
  });

  it("PostgreSQL cancels a statement after the timeout of the configuration", async () => {
    const slow = database.acrossTeams.rows(sql`SELECT pg_sleep(30)::text AS slept`);
    await expect(slow).rejects.toMatchObject({ name: "DatabaseUnavailableError" });
    await database.ping();
  });

  it("notifications arrive, because the listener connects to PostgreSQL itself", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const stop = database.listen("kb_test", (payload) => (payload === null ? started.resolve() : resolve(payload)));
    await started.promise;
    database.announce({ channel: "kb_test", payload: "changed" });
    expect(await promise).toBe("changed");
    stop();
  });

  it("commands import under a lock and write a backup, at the address of PostgreSQL itself", async () => {
    const notes = join(home.folder, "notes");
    mkdirSync(notes);
    writeFileSync(join(notes, "one.md"), "# One\n");
    const imports = ["one", "two"].map(() => home.json(["import", "notes", "--collection", "Notes"]));
    const imported = (await Promise.all(imports)).map((result) => Number(result.imported));
    expect(imported.sort()).toEqual([0, 1]);
    await home.json(["backup", "--out", "kb.backup.tar.gz"]);
    const { findings } = await home.json(["doctor"]);
    expect(findings).toContainEqual({ name: "pooler", state: "ok", message: expect.stringContaining("responds") });
  });

  it("kb doctor names the missing DATABASE_DIRECT_URL", async () => {
    const { stdout } = await home.kb(["doctor", "--json"], { DATABASE_DIRECT_URL: "" });
    const { findings }: { findings: Findings } = JSON.parse(stdout);
    const found = findings.find(({ name }) => name === "pooler");
    expect(found?.state).toBe("fail");
    expect(found?.message).toContain("set DATABASE_DIRECT_URL");
  });

  it("kb doctor names a DATABASE_DIRECT_URL that is a pooler too", async () => {
    const { stdout } = await home.kb(["doctor", "--json"], { DATABASE_DIRECT_URL: pooler.url });
    expect(stdout).toContain("shares its connections as well");
  });

  it("kb doctor says within 10 s that the pooler has no free connection", async () => {
    const released = Promise.withResolvers<void>();
    const holders = Array.from({ length: sessions }, () => {
      const held = Promise.withResolvers<void>();
      const done = database.transaction(async (tx) => {
        await tx.rows(sql`SELECT 1 AS one`);
        held.resolve();
        await released.promise;
      });
      return { held: held.promise, done };
    });
    await Promise.all(holders.map(({ held }) => held));
    const elapsedMs = startStopwatch();
    const findings = await poolerFindings(home.settings);
    const tookMs = elapsedMs();
    released.resolve();
    await Promise.all(holders.map(({ done }) => done));
    expect(findings).toEqual([
      { name: "pooler", state: "fail", message: expect.stringContaining("responds, but lends no connection") },
    ]);
    expect(findings[0]?.message).toContain("raise default_pool_size");
    expect(tookMs).toBeLessThan(10_000);
  });

  it("kb doctor blames the address that does not respond", async () => {
    const away = test.url.replace(/:\d+\//, `:${await freePort()}/`);
    const findingsWith = async (environment: Record<string, string>): Promise<Findings> => {
      const { stdout } = await home.kb(["doctor", "--json"], environment);
      return JSON.parse(stdout).findings;
    };
    const withoutServer = await findingsWith({ DATABASE_DIRECT_URL: away });
    expect(withoutServer.find(({ name }) => name === "pooler")?.state).toBe("ok");
    expect(withoutServer.find(({ name }) => name === "postgresql")?.message).toContain("correct DATABASE_DIRECT_URL");
    const withoutPooler = await findingsWith({ DATABASE_URL: away });
    expect(withoutPooler.find(({ name }) => name === "postgresql")?.state).toBe("ok");
    expect(withoutPooler.find(({ name }) => name === "pooler")?.message).toContain("correct DATABASE_URL");
  });
});
