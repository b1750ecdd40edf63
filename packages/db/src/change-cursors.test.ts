import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { prismaDirectory } from "./migration-files.ts";
import { migrate } from "./migrations.ts";
import { testCluster } from "./testing/index.ts";

const added = ["20261122144300_change_cursors", "20261122144400_events_by_time"];

it("the cursors of webhooks begin after what the previous release dispatched, and before what it did not", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kb-cursors-"));
  cpSync(prismaDirectory, directory, { recursive: true });
  for (const name of added) rmSync(join(directory, "migrations", name), { recursive: true });
  const url = new URL((await testCluster()).url);
  url.pathname = `/cursors_${randomUUID()}`;
  await migrate(url.href, { directory });
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const teams = { read: randomUUID(), waiting: randomUUID(), fresh: randomUUID() };
    const write = async (teamId: string, dispatched: readonly boolean[]): Promise<void> => {
      await client.query("INSERT INTO teams (id, name) VALUES ($1, 'Team')", [teamId]);
      await client.query(`INSERT INTO team_clocks ("teamId", at, sequence) VALUES ($1, now(), $2)`, [
        teamId,
        dispatched.length,
      ]);
      for (const [index, isDispatched] of dispatched.entries()) {
        await client.query(
          `INSERT INTO events ("teamId", id, sequence, type, at, actor, data, "dispatchedAt")
           VALUES ($1, gen_random_uuid(), $2, 'tag.created', now(), '{}', '{}', $3)`,
          [teamId, index + 1, isDispatched ? new Date() : null],
        );
      }
    };
    await write(teams.read, [true, true, true]);
    // One that was dispatched out of turn, such as the test of a webhook, does not hide the one before it.
    await write(teams.waiting, [true, false, true, false]);
    await write(teams.fresh, []);
    await migrate(url.href);
    const { rows } = await client.query(
      `SELECT "teamId", sequence::int FROM change_cursors WHERE consumer = 'webhooks'`,
    );
    expect(new Map(rows.map((row) => [row.teamId, row.sequence]))).toEqual(
      new Map([
        [teams.read, 3],
        [teams.waiting, 1],
        [teams.fresh, 0],
      ]),
    );
  } finally {
    await client.end();
    rmSync(directory, { recursive: true });
  }
});
