import { newId, sql } from "@kb/db";
import { expect, it } from "vitest";
import type { Service } from "../context.ts";
import { testWorld } from "../testing/test-world.ts";
import { sweep } from "./sweep.ts";

const { test, world } = await testWorld();

it("entries of the audit log are kept for 365 days; older ones of all teams are deleted in batches", {
  meta: { proves: ["decision.audit.kept"] },
}, async () => {
  const { teamId, people } = world;
  const { client, acrossTeams } = test.database;
  const now = new Date("2030-01-01T00:00:00.000Z");
  const dayMs = 24 * 60 * 60 * 1000;
  const entry = (ageMs: number, team = teamId) => ({
    teamId: team,
    id: newId(),
    action: "test.age",
    outcome: "success",
    credentialKind: "none",
    at: new Date(now.getTime() - ageMs),
  });
  await client.auditEntry.createMany({ data: [entry(365 * dayMs), entry(364 * dayMs), entry(0)] });
  const [counted] = await acrossTeams.rows<{ rows: number }>(sql`SELECT count(*)::int AS rows FROM audit_entries`);
  const old = (counted?.rows ?? 0) - 3;
  await client.auditEntry.createMany({
    data: Array.from({ length: 2500 }, () => entry(365 * dayMs + 1, people.outsider.actor.teamId)),
  });
  const later: Service = { database: test.database, appUrl: world.service.appUrl, clock: { now: () => now } };
  expect(await sweep(later, { trashRetentionDays: 0 })).toMatchObject({ auditEntries: old + 2500 });
  expect(await sweep(later, { trashRetentionDays: 0 })).not.toHaveProperty("auditEntries");
  expect(await client.auditEntry.count({ where: { teamId } })).toBe(3);
});
