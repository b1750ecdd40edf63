import { advanceCursors } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Planning, Sent } from "./explain.ts";

const older = 3_000;
const unread = 10;

let test: TestDatabase;
let world: World;
let client: pg.Client;
const sent: Sent[] = [];

beforeAll(async () => {
  test = await testDatabase({ onQuery: (text, values) => void sent.push({ text, values }) });
  world = await createWorld(test.database);
  client = new pg.Client({ connectionString: test.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.drop();
});

/** Writes events as an import does, all of which but the last are behind the cursor. */
async function writeEvents(): Promise<void> {
  const { teamId } = world;
  // The state of the first minutes after an import: no statistics.
  await client.query("ALTER TABLE events SET (autovacuum_enabled = false)");
  await advanceCursors(world.service);
  await test.database.execute(sql`INSERT INTO events ("teamId", id, sequence, type, at, actor, data)
    SELECT c."teamId", gen_random_uuid(), c.sequence + n, 'document.updated', c.at + n * interval '1 ms', '{}', '{}'
    FROM team_clocks c CROSS JOIN generate_series(1, ${older + unread}::int) AS n WHERE c."teamId" = ${teamId}::uuid`);
  await test.database.execute(
    sql`UPDATE change_cursors SET sequence = sequence + ${older}::int WHERE "teamId" = ${teamId}::uuid`,
  );
  await test.database.execute(sql`UPDATE team_clocks SET sequence = sequence + ${older + unread}::int
    WHERE "teamId" = ${teamId}::uuid`);
}

/** Returns the most rows that a step of the plan of a statement returns. */
async function mostRows({ text, values }: Sent, planning: Planning): Promise<number> {
  await client.query("BEGIN");
  await client.query(`SET LOCAL plan_cache_mode = ${planning}`);
  const literals = values.map((value) => {
    if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
    return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(",")}}` : String(value));
  });
  await client.query(`PREPARE explained AS ${text}`);
  const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF) EXECUTE explained(${literals.join(", ")})`);
  await client.query("ROLLBACK");
  await client.query("DEALLOCATE explained");
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  return Math.max(...[...plan.matchAll(/\(actual rows=([\d.]+)/g)].map(([, count]) => Number(count)));
}

it("right after an import, before any statistics, the worker reads the events that it marks and no others", async () => {
  await writeEvents();
  const unmarked = (): Promise<number> =>
    test.database.client.event.count({ where: { teamId: world.teamId, dispatchedAt: null } });
  expect(await unmarked()).toBe(older + unread);
  sent.length = 0;
  await advanceCursors(world.service);
  expect(await unmarked()).toBe(older);
  const marking = sent.filter(({ text }) => text.startsWith("UPDATE events"));
  expect(marking).toHaveLength(1);
  for (const statement of marking) {
    expect(await mostRows(statement, "force_custom_plan")).toBeLessThanOrEqual(unread);
    expect(await mostRows(statement, "force_generic_plan")).toBeLessThanOrEqual(unread);
  }
});
