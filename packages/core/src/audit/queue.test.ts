import { connect, type Database, DatabaseUnavailableError, newId } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRecord } from "./entry.ts";
import { flushAudit, queueAudit } from "./queue.ts";

describe("what is noted behind the answers", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());

  const record = (teamId: string, action = "test.refused"): AuditRecord => ({
    teamId,
    at: new Date(),
    userId: null,
    credential: null,
    action,
    outcome: "denied",
  });
  const actions = async (teamId: string): Promise<string[]> =>
    (await test.database.client.auditEntry.findMany({ where: { teamId } })).map((row) => row.action);
  /** The same database, seen by a process of its own. */
  const another = (execute?: (run: Database["execute"]) => Database["execute"]): Database => {
    const database = connect({ url: test.url, applicationName: "kb-test" });
    return execute === undefined ? database : { ...database, execute: execute(database.execute) };
  };

  it("is written by the close of the database at the latest", {
    meta: { proves: ["decision.audit.denials"] },
  }, async () => {
    const database = another();
    const teamId = newId();
    for (let count = 0; count < 1200; count += 1) queueAudit({ database }, record(teamId));
    await database.close();
    expect(await actions(teamId)).toHaveLength(1200);
  });

  it("is written by itself within about a second", async () => {
    const database = another();
    const teamId = newId();
    queueAudit({ database }, record(teamId));
    await expect.poll(() => actions(teamId), { timeout: 10_000 }).toHaveLength(1);
    await database.close();
  });

  it("waits while the database is away, and is written once when it is back", async () => {
    const teamId = newId();
    let away = true;
    const database = another((execute) => async (statement) => {
      if (away) throw new DatabaseUnavailableError(new Error("away"));
      return execute(statement);
    });
    queueAudit({ database }, record(teamId));
    await flushAudit({ database });
    expect(await actions(teamId)).toEqual([]);
    queueAudit({ database }, record(teamId, "test.second"));
    away = false;
    await flushAudit({ database });
    await flushAudit({ database });
    expect((await actions(teamId)).sort()).toEqual(["test.refused", "test.second"]);
    await database.close();
  });

  it("has a bounded size: entries beyond it are counted, and the count is written", async () => {
    const database = another();
    const teamId = newId();
    const other = newId();
    for (let count = 0; count < 10_000; count += 1) queueAudit({ database }, record(teamId));
    for (let count = 0; count < 7; count += 1) queueAudit({ database }, record(other));
    await flushAudit({ database });
    expect(await actions(teamId)).toHaveLength(10_000);
    const dropped = await test.database.client.auditEntry.findMany({ where: { teamId: other } });
    expect(dropped).toMatchObject([{ action: "audit.dropped", outcome: "failed", details: { entries: 7 } }]);
    await database.close();
  });

  it("an entry that the database refuses is counted, and loses none of those beside it and behind it", async () => {
    const database = another();
    const teamId = newId();
    for (let count = 0; count < 600; count += 1) {
      const isRefused = count === 3 || count === 4 || count === 499;
      queueAudit({ database }, isRefused ? { ...record(teamId), address: "no\u0000text" } : record(teamId));
    }
    await flushAudit({ database });
    queueAudit({ database }, record(teamId, "test.second"));
    await flushAudit({ database });
    const written = await actions(teamId);
    const of = (action: string): string[] => written.filter((each) => each === action);
    expect(of("test.refused")).toHaveLength(597);
    expect(of("test.second")).toHaveLength(1);
    const dropped = await test.database.client.auditEntry.findMany({ where: { teamId, action: "audit.dropped" } });
    expect(dropped).toMatchObject([{ details: { entries: 3 } }]);
    await database.close();
  });
});
