import { connect, newId, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { testClock } from "@kb/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordAudit } from "./entry.ts";
import { keepAuditMonths } from "./keep-months.ts";

type Partition = { name: string; since: string | null; until: string | null; entries: number };

const teamId = newId();

describe("the partitions of the audit log", () => {
  let test: TestDatabase;
  const clock = testClock();
  beforeEach(async () => {
    test = await testDatabase();
  });
  afterEach(() => test.drop());

  const keepAt = (moment: string) => {
    clock.set(moment);
    return keepAuditMonths({ database: test.database, clock });
  };

  const write = async (...moments: string[]): Promise<void> => {
    for (const at of moments) {
      const record = { teamId, at: new Date(at), userId: null, credential: null, action: "test", outcome: "success" };
      await recordAudit(test.database, { ...record, outcome: "success" });
    }
  };

  const partitions = async (): Promise<Partition[]> => {
    const { acrossTeams } = test.database;
    const rows = await acrossTeams.rows<
      Omit<Partition, "entries">
    >(sql`SELECT replace(name, 'audit_entries_', '') AS name,
      to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS since,
      to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS until FROM audit_partitions()`);
    const counts = await acrossTeams.rows<{ name: string; entries: number }>(sql`
      SELECT replace(tableoid::regclass::text, 'audit_entries_', '') AS name, count(*)::int AS entries FROM audit_entries GROUP BY 1`);
    const of = new Map(counts.map(({ name, entries }) => [name, entries]));
    return rows.map((row) => ({ ...row, entries: of.get(row.name) ?? 0 }));
  };
  const namesAndEntries = async () => (await partitions()).map(({ name, entries }) => `${name} ${entries}`);

  it("are one for each month, made six months ahead, and follow each other without a gap", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    expect(await keepAt("2040-03-31T23:59:59.999Z")).toEqual({ added: 2, dropped: 0 });
    const found = await partitions();
    expect(found.slice(-4)).toEqual([
      { name: "2040_07", since: "2040-07-01 00:00", until: "2040-08-01 00:00", entries: 0 },
      { name: "2040_08", since: "2040-08-01 00:00", until: "2040-09-01 00:00", entries: 0 },
      { name: "2040_09", since: "2040-09-01 00:00", until: "2040-10-01 00:00", entries: 0 },
      { name: "later", since: "2040-10-01 00:00", until: null, entries: 0 },
    ]);
    expect(found.map(({ since }) => since)).toEqual([null, ...found.slice(0, -1).map(({ until }) => until)]);
    expect(await keepAt("2040-03-31T23:59:59.999Z")).toEqual({ added: 0, dropped: 0 });
    // The same beside a clock that is behind, and another month than there.
    expect(await keepAt("2040-02-01T00:00:00Z")).toEqual({ added: 0, dropped: 0 });
  });

  it("have a place for an entry of any time", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    await write("1970-01-01T00:00:00Z", "2040-01-31T23:59:59.999Z", "2040-02-01T00:00:00Z", "2999-01-01T00:00:00Z");
    const filled = (await namesAndEntries()).filter((each) => !each.endsWith(" 0"));
    expect(filled).toEqual(["before 1", expect.stringMatching(/^20\d\d_\d\d 1$/), "2040_02 1", "later 1"]);
  });

  it("are made of the entries that came while no worker ran; those of fast clocks keep their months", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    await write(
      "2040-07-31T00:00:00Z",
      "2040-08-01T00:00:00Z",
      "2041-01-31T00:00:00Z",
      "2041-02-01T00:00:00Z",
      "2077-01-01T00:00:00Z",
    );
    expect(await keepAt("2041-01-31T12:00:00Z")).toEqual({ added: 7, dropped: expect.any(Number) });
    expect((await namesAndEntries()).slice(-9)).toEqual([
      "2040_07 1",
      "2040_08 2",
      "2041_02 1",
      "2041_03 0",
      "2041_04 0",
      "2041_05 0",
      "2041_06 0",
      "2041_07 0",
      "later 1",
    ]);
    expect((await partitions()).find(({ name }) => name === "2040_08")).toMatchObject({
      since: "2040-08-01 00:00",
      until: "2041-02-01 00:00",
    });
    // The entry of 2077 does not stop the months.
    expect(await keepAt("2041-03-01T00:00:00Z")).toMatchObject({ added: 2 });
    expect((await namesAndEntries()).slice(-2)).toEqual(["2041_09 0", "later 1"]);
  });

  it("are not made of so many entries that others would wait for long", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    await write("2040-10-01T00:00:00Z");
    const before = await partitions();
    const { rows } = test.database.acrossTeams;
    expect(await rows(sql`SELECT add_audit_months('2040-11-01', 6, 8191) AS months`)).toEqual([{ months: -1 }]);
    expect(await partitions()).toEqual(before);
    expect(await rows(sql`SELECT add_audit_months('2040-11-01', 6, 8192) AS months`)).toEqual([{ months: 7 }]);
  });

  it("are dropped when the last entry of the month has expired, with everything older", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    await write(
      "2040-01-31T23:59:59.999Z",
      "2040-02-01T00:00:00Z",
      "2040-02-29T23:59:59.999Z",
      "2040-03-01T00:00:00Z",
      "1970-01-01T00:00:00Z",
    );
    const first = (await partitions())[1]?.name;
    expect(await keepAt("2041-01-30T23:59:59.999Z")).toMatchObject({ dropped: 0 });
    expect((await partitions()).map(({ name }) => name).slice(0, 3)).toEqual(["before", first, "2040_02"]);
    expect(await keepAt("2041-01-31T00:00:00Z")).toMatchObject({ dropped: 1 });
    expect((await namesAndEntries()).slice(0, 3)).toEqual(["before 0", "2040_02 2", "2040_03 1"]);
    expect((await partitions())[0]).toMatchObject({ since: null, until: "2040-02-01 00:00" });
    await write("1970-01-01T00:00:00Z");
    expect(await keepAt("2041-03-01T00:00:00Z")).toMatchObject({ dropped: 1 });
    expect((await namesAndEntries()).slice(0, 2)).toEqual(["before 0", "2040_03 1"]);
  });

  it("have the indexes of the log, each of them", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    await write("2040-08-01T00:00:00Z");
    await keepAt("2041-09-01T00:00:00Z");
    const { rows } = test.database.acrossTeams;
    const indexes = await rows<{ name: string; attached: number }>(sql`
      SELECT c.relname AS name, count(*)::int AS attached FROM pg_inherits p JOIN pg_class c ON c.oid = p.inhrelid
        JOIN pg_index i ON i.indrelid = c.oid JOIN pg_inherits a ON a.inhrelid = i.indexrelid
      WHERE p.inhparent = 'audit_entries'::regclass AND i.indisvalid GROUP BY 1`);
    expect(indexes.map(({ attached }) => attached)).toEqual((await partitions()).map(() => 4));
  });

  it("wait for the next sweep while somebody holds the log, without making others wait for long", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    const other = connect({ url: test.url, applicationName: "kb-test" });
    const release = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const held = other.transaction(async (tx) => {
      await tx.rows(sql`SELECT 1 FROM audit_entries WHERE "teamId" = ${teamId}::uuid`);
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    const keeping = keepAt("2041-02-15T00:00:00Z");
    const elapsedMs = startStopwatch();
    const longest = { ms: 0, countedMs: 0 };
    let isOver = false;
    const ended = keeping.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const began = performance.now();
      const counted = elapsedMs();
      await recordAudit(other, {
        teamId,
        at: clock.now(),
        userId: null,
        credential: null,
        action: "test",
        outcome: "success",
      });
      longest.ms = Math.max(longest.ms, performance.now() - began);
      longest.countedMs = Math.max(longest.countedMs, elapsedMs() - counted);
    }
    expect(await ended).toEqual({ added: 0, dropped: 0, postponed: "it is in use" });
    expect(longest.ms).toBeGreaterThan(100);
    expect(longest.countedMs).toBeLessThan(2_000);
    release.resolve();
    await held;
    expect(await keepAt("2041-02-15T00:00:00Z")).toMatchObject({ added: 7, dropped: 1 });
    await other.close();
  });

  it("stay as they are where the role of the worker does not own the log, and the sweep goes on", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    const before = await partitions();
    const role = `guest_${newId().replaceAll("-", "")}`;
    const { execute } = test.database.acrossTeams;
    await execute(sql([`CREATE ROLE ${role} LOGIN PASSWORD 'x'`]));
    await execute(sql([`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`]));
    const database = connect({
      url: Object.assign(new URL(test.url), { username: role, password: "x" }).href,
      applicationName: "kb-test",
    });
    clock.set("2041-02-15T00:00:00Z");
    const kept = await keepAuditMonths({ database, clock });
    await database.close();
    await execute(sql([`DROP OWNED BY ${role}`]));
    await execute(sql([`DROP ROLE ${role}`]));
    expect(kept).toEqual({ added: 0, dropped: 0, postponed: "the role of the worker does not own it" });
    expect(await partitions()).toEqual(before);
  });

  it("are changed by one of several workers, beside writers, and no entry is lost", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    const workers = Array.from({ length: 4 }, () => connect({ url: test.url, applicationName: "kb-test" }));
    clock.set("2040-12-15T00:00:00Z");
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      for (; !isOver; written += 1) await write("2040-08-15T00:00:00Z");
    })();
    const kept = await Promise.all(workers.map((database) => keepAuditMonths({ database, clock })));
    isOver = true;
    await writing;
    expect(kept.reduce((sum, { added }) => sum + added, 0)).toBe(7);
    const { rows } = test.database.acrossTeams;
    expect(await rows(sql`SELECT count(*)::int AS entries FROM audit_entries`)).toEqual([{ entries: written }]);
    await Promise.all(workers.map((database) => database.close()));
  });

  it("are not deleted from by place, as the release before deletes expired entries", async () => {
    await keepAt("2040-01-15T00:00:00Z");
    await write("2039-01-01T00:00:00Z", "2040-02-01T00:00:00Z", "2040-03-01T00:00:00Z");
    const { execute, rows } = test.database.acrossTeams;
    expect(
      await execute(sql`DELETE FROM audit_entries WHERE ctid IN
        (SELECT ctid FROM audit_entries WHERE at < '2039-06-01' LIMIT 1000 FOR UPDATE SKIP LOCKED)`),
    ).toBe(0);
    expect(await rows(sql`SELECT count(*)::int AS entries FROM audit_entries`)).toEqual([{ entries: 3 }]);
  });
});
