import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { endWithThisProcess } from "./cluster/throw-away.ts";
import { connect, type Database } from "./database.ts";
import { newId } from "./ids.ts";
import { lastStatement, type Unlocking } from "./last-statement.ts";
import { migrate } from "./migrations.ts";
import { sql } from "./sql.ts";

// A server that may lose what is not on the disk, and that writes nothing there unless a commit asks for it.
const settings = { wal_writer_delay: "10s", autovacuum: "off" };
const folder = mkdtempSync(join(tmpdir(), "kb-disk-test-"));
const sent: string[] = [];
let cluster: Cluster;
let database: Database;
beforeAll(async () => {
  endWithThisProcess(folder);
  cluster = await startCluster({ dataDir: folder, settings });
  await migrate(cluster.url);
  const onQuery = (text: string, _: readonly unknown[], beginsTrip: boolean) =>
    void sent.push(`${beginsTrip ? "*" : "+"} ${text.slice(0, 6)}`);
  database = connect({ url: cluster.url, onQuery });
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(async () => {
  await database.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

const insertTeam = (id: string) => sql`INSERT INTO teams (id, name) VALUES (${id}::uuid, 'Team')`;
const write = (id: string, unlocks: Unlocking): Promise<void> =>
  database.transaction(async () => lastStatement(insertTeam(id), () => undefined, unlocks));

/** Returns the ids that are still there after PostgreSQL has lost everything that is not on the disk. */
async function idsAfterCrash(ids: readonly string[]): Promise<string[]> {
  const before = await checkpointer();
  // PostgreSQL begins again with empty memory when one of its processes was killed.
  process.kill(before, "SIGKILL");
  const isBack = async (): Promise<boolean> => (await checkpointer()) !== before;
  await expect.poll(() => isBack().catch(() => false), { timeout: 60_000 }).toBe(true);
  const kept = await database.rows<{ id: string }>(sql`SELECT id FROM teams WHERE id = ANY(${ids}::uuid[])`);
  return kept.map(({ id }) => id);
}

async function checkpointer(): Promise<number> {
  const [process] = await database.rows<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  );
  if (process === undefined) throw new Error("PostgreSQL has not begun again yet");
  return process.pid;
}

describe("a commit that unlocks when made", { timeout: 120_000 }, () => {
  it("is on the disk when the transaction returns", async () => {
    const acknowledged: string[] = [];
    const writeAll = Array.from({ length: 40 }, async () => {
      const id = newId();
      await write(id, "when made");
      acknowledged.push(id);
    });
    await Promise.all(writeAll);
    expect((await idsAfterCrash(acknowledged)).sort()).toEqual(acknowledged.sort());
  });

  it("frees its locks before, and asks for the disk in the same round trip", async () => {
    await write(newId(), "when made");
    expect(sent).toEqual(["* BEGIN", "+ INSERT", "+ SET LO", "+ COMMIT", "+ SELECT"]);
    sent.length = 0;
    await write(newId(), "on disk");
    expect(sent).toEqual(["* BEGIN", "+ INSERT", "+ COMMIT"]);
  });

  it("leaves the next transaction of its connection as it was", async () => {
    await write(newId(), "when made");
    const [setting] = await database.rows<{ value: string }>(
      sql`SELECT current_setting('synchronous_commit') AS value`,
    );
    expect(setting?.value).toBe("on");
  });

  it("writes nothing where the statement or the commit fails", async () => {
    const id = newId();
    const work = database.transaction(async (tx) => {
      await tx.execute(insertTeam(id));
      return lastStatement(sql`SELECT 1 / 0 AS nothing`, () => undefined, "when made");
    });
    await expect(work).rejects.toMatchObject({ code: "22012" });
    const body = sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
      VALUES (${id}::uuid, ${newId()}::uuid, '{}', '', '', '', '')`;
    const atCommit = database.transaction(async (tx) => {
      await tx.execute(insertTeam(id));
      return lastStatement(body, () => undefined, "when made");
    });
    await expect(atCommit).rejects.toMatchObject({ code: "23503" });
    expect(await database.rows(sql`SELECT 1 FROM teams WHERE id = ${id}::uuid`)).toEqual([]);
  });
});

/** Commits without waiting for the disk, as another process does in the milliseconds before it asks for it. */
async function writeInMemory(id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL synchronous_commit = off`);
    await tx.execute(insertTeam(id));
  });
}

describe("a change that is not on the disk", { timeout: 120_000 }, () => {
  it("is lost in a crash, which the other tests could not notice otherwise", async () => {
    // PostgreSQL writes by itself every ten seconds, and that may be now.
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const id = newId();
      await writeInMemory(id);
      if ((await idsAfterCrash([id])).length === 0) return;
    }
    throw new Error("nothing was lost in five crashes");
  });

  it("is there for good once readsOnDisk has resolved", async () => {
    const id = newId();
    await writeInMemory(id);
    await database.readsOnDisk();
    expect(await idsAfterCrash([id])).toEqual([id]);
  });

  it("is there for good once changeOnDisk has resolved, which asks for the disk once for each later change", async () => {
    const id = newId();
    const at = new Date();
    await writeInMemory(id);
    sent.length = 0;
    await Promise.all([database.changeOnDisk(id, at), database.changeOnDisk(id, at)]);
    expect(await idsAfterCrash([id])).toEqual([id]);
    sent.length = 0;
    await database.changeOnDisk(id, at);
    await database.changeOnDisk(newId(), new Date(at.getTime() - 3_600_000));
    await database.transaction(async (tx) => tx.noteStamp(id, new Date(at.getTime() + 1)));
    await database.changeOnDisk(id, new Date(at.getTime() + 1));
    expect(sent).toEqual([]);
    await database.changeOnDisk(id, new Date(at.getTime() + 2));
    expect(sent).toEqual(["* SELECT"]);
  });

  it("is there for good once a transaction that confirms what it reads has returned", async () => {
    const id = newId();
    await writeInMemory(id);
    const read = (confirmsReads: boolean): Promise<unknown> =>
      database.transaction((tx) => tx.rows(sql`SELECT 1 AS one FROM teams WHERE id = ${id}::uuid`), { confirmsReads });
    sent.length = 0;
    await read(false);
    expect(sent).toEqual(["* BEGIN", "+ SELECT", "* COMMIT"]);
    sent.length = 0;
    expect(await read(true)).toEqual([{ one: 1 }]);
    expect(sent).toEqual(["* BEGIN", "+ SELECT", "* SELECT", "+ COMMIT"]);
    expect(await idsAfterCrash([id])).toEqual([id]);
  });
});
