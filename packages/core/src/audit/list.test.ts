import { callerOf, outcomeOf, sessionCallerOf, unknownId } from "@kb/core/testing";
import { newId, raw, type Statement, sql } from "@kb/db";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";
import { keepAuditMonths } from "./keep-months.ts";
import { flushAudit } from "./queue.ts";

const clock = testClock();
const sent: Statement[] = [];
const { test, world } = await testWorld({ clock }, { onQuery: (text, values) => void sent.push({ text, values }) });
const auditor = callerOf(world, await world.key(world.people.admin, ["admin"]));
const editor = callerOf(world, world.people.editor);

const list = async (input: object = {}, by = auditor) => {
  await flushAudit(world.service);
  return by.run(operations.listAuditLog, { limit: 100, ...input });
};

describe("the audit log", () => {
  it("is read with a key of an admin that has the scope admin, or in the app by an admin, and by nobody else", {
    meta: { proves: ["decision.audit.read"] },
  }, async () => {
    const { people, collections } = world;
    const restrictions = { collections: { [collections.open]: "write" } } as const;
    const outcomeWith = async (key: string) => outcomeOf(callerOf(world, key).run(operations.listAuditLog));
    expect(await outcomeWith(people.admin.key)).toBe("insufficient_scope");
    expect(await outcomeWith(await world.key(people.editor, ["admin"]))).toBe("forbidden");
    expect(await outcomeWith(await world.key(people.admin, ["admin"], { restrictions }))).toBe("forbidden");
    expect(await outcomeOf(auditor.run(operations.listAudit))).toBe("forbidden");
    const admin = await sessionCallerOf(world, people.admin);
    const input = { limit: 5, outcome: "success" };
    expect(await admin.run(operations.listAudit, input)).toEqual(await list(input));
    const other = await sessionCallerOf(world, people.editor);
    expect(await outcomeOf(other.run(operations.listAudit))).toBe("forbidden");
  });

  it("shows no entry of another team", { meta: { proves: ["decision.audit.read"] } }, async () => {
    const theirs = await list({}, callerOf(world, await world.key(world.people.outsider, ["admin"])));
    expect(theirs.data.length).toBeGreaterThan(0);
    const ours = new Set((await list()).data.map((entry) => entry.id));
    expect(theirs.data.filter((entry) => ours.has(entry.id))).toEqual([]);
  });

  it("is narrowed by each filter, and rejects an invalid one", {
    meta: { proves: ["decision.audit.paging"] },
  }, async () => {
    const { viewer } = world.people;
    clock.advance(60_000);
    const since = clock.now().toISOString();
    const { id: targetId } = await editor.create();
    clock.advance(1000);
    const until = clock.now().toISOString();
    await outcomeOf(callerOf(world, viewer).update(targetId, { title: "x" }));
    const actions = async (input: object) =>
      (await list(input)).data.map((entry) => `${entry.action} ${entry.outcome}`);
    const created = "documents.create success";
    const refused = "documents.update denied";
    expect(await actions({ since })).toEqual([refused, created]);
    expect(await actions({ since, until })).toEqual([created]);
    expect(await actions({ since: until })).toEqual([refused]);
    expect(await actions({ since, userId: viewer.id })).toEqual([refused]);
    expect(await actions({ since, outcome: "success" })).toEqual([created]);
    expect(await actions({ since, action: "documents.create" })).toEqual([created]);
    expect(await actions({ targetId })).toEqual([refused, created]);
    expect(await actions({ targetId: unknownId })).toEqual([]);
    for (const input of [
      { since: "now" },
      { userId: "me" },
      { targetId: "x" },
      { outcome: "fine" },
      { limit: 101 },
      { cursor: "x" },
      { page: 2 },
    ]) {
      expect(await outcomeOf(list(input)), JSON.stringify(input)).toBe("validation_error");
    }
  });

  it("returns the newest entries first, and its pages lose and repeat nothing, also at equal times", {
    meta: { proves: ["decision.audit.paging"] },
  }, async () => {
    const at = new Date(clock.now().getTime() - 24 * 60 * 60 * 1000);
    const rows = Array.from({ length: 60 }, (_, index) => ({
      teamId: world.teamId,
      id: newId(),
      action: "test.tie",
      outcome: "success",
      credentialKind: "none",
      at: new Date(at.getTime() + Math.floor(index / 20)),
    }));
    await test.database.client.auditEntry.createMany({ data: rows });
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ action: "test.tie", limit: 7, cursor });
      pages.push(page.data.map((entry) => entry.id));
      cursor = page.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 4]);
    expect(pages.flat()).toEqual(rows.map((row) => row.id).toReversed());
  });

  it("has an index for each filter, and reads no month that a page does not need, however long it is", {
    meta: { proves: ["decision.audit.paging"] },
  }, async () => {
    const { teamId } = world;
    clock.set("2041-06-15T00:00:00.000Z");
    for (const month of ["2040-06", "2040-12", "2041-06"]) {
      await keepAuditMonths({ database: test.database, clock: { now: () => new Date(`${month}-15T00:00:00.000Z`) } });
    }
    await test.database.execute(sql`
      INSERT INTO audit_entries ("teamId", id, at, "userId", "credentialKind", action, outcome, "targetType", "targetId")
      SELECT CASE WHEN n % 4 = 0 THEN ${teamId}::uuid ELSE gen_random_uuid() END, gen_random_uuid(),
        '2041-06-15'::timestamptz - n * interval '26 min', gen_random_uuid(),
        'none', 'test.' || n % 50, 'success', 'test', gen_random_uuid() FROM generate_series(1, 20000) n`);
    // As autovacuum does, which leaves the partitioned table itself without statistics.
    const { acrossTeams } = test.database;
    const partitions = await acrossTeams.rows<{ name: string }>(sql`SELECT name FROM audit_partitions()`);
    for (const { name } of partitions) await acrossTeams.execute(sql`ANALYZE ${raw(name)}`);
    const monthsReadFor = async (input: object): Promise<number> => {
      sent.length = 0;
      await list({ limit: 25, ...input });
      const [page = sql``] = sent.filter(({ text }) => text.includes("FROM audit_entries a"));
      const lines = await test.database.rows<Record<string, string>>({
        text: `EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF) ${page.text}`,
        values: page.values,
      });
      const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
      expect(plan).not.toMatch(/Seq Scan on audit_entries_20(40|41_0[1-6])/);
      return (plan.match(/Scan .*on audit_entries_20(40|41_0[1-6]).*loops=1/g) ?? []).length;
    };
    const winter = { since: "2041-01-01T00:00:00.000Z", until: "2041-03-01T00:00:00.000Z" };
    const { nextCursor: cursor } = await list({ ...winter, limit: 1 });
    const read: [object, number][] = [];
    for (const input of [
      {},
      { action: "test.8" },
      { userId: unknownId },
      { targetId: unknownId },
      winter,
      { ...winter, targetId: unknownId },
      { cursor },
      { cursor, since: "2041-02-01T00:00:00.000Z", targetId: unknownId },
    ]) {
      read.push([input, await monthsReadFor(input)]);
    }
    expect(read.map(([, months]) => months)).toEqual([1, 3, 12, 12, 1, 2, 1, 1]);
  });
});
