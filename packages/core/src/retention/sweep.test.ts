import { callerOf } from "@kb/core/testing";
import { newId } from "@kb/db";
import { testClock } from "@kb/testing";
import { expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";
import { sweep } from "./sweep.ts";

const clock = testClock();
const { test, world } = await testWorld({ clock });
const auditor = callerOf(world, await world.key(world.people.admin, ["admin"]));
const { teamId } = world;
const otherTeamId = world.people.outsider.actor.teamId;
const { client } = test.database;
const dayMs = 24 * 60 * 60 * 1000;

const entry = (at: Date | string, action: string, team = teamId) => ({
  teamId: team,
  id: newId(),
  action,
  outcome: "success",
  credentialKind: "none",
  at: new Date(at),
});
const sweepAt = (moment: Date | string) => {
  clock.set(moment);
  return sweep(world.service, { trashRetentionDays: 0 });
};

it("entries of the audit log are kept and shown for 365 days; older ones of all teams go with their month", {
  meta: { proves: ["decision.audit.kept"] },
}, async () => {
  const action = "test.month";
  const last = new Date("2040-02-29T23:59:59.999Z");
  const next = "2040-03-01T00:00:00.000Z";
  const expiry = last.getTime() + 365 * dayMs;
  await sweepAt("2040-01-01T00:00:00.000Z");
  await client.auditEntry.createMany({
    data: [
      entry("2040-02-01T00:00:00.000Z", action),
      entry("2040-02-01T00:00:00.000Z", action, otherTeamId),
      entry(last, action),
      entry(next, action),
    ],
  });
  const kept = (team: string) => client.auditEntry.count({ where: { teamId: team, action } });
  const shown = async () => (await auditor.run(operations.listAuditLog, { action })).data.map(({ at }) => at);
  await sweepAt(new Date(expiry - 1));
  expect(await kept(teamId)).toBe(3);
  expect(await shown()).toEqual([next, last.toISOString()]);
  expect(await sweepAt(new Date(expiry + 1))).toMatchObject({ auditMonths: 1 });
  expect([await kept(teamId), await kept(otherTeamId)]).toEqual([1, 0]);
  expect(await shown()).toEqual([next]);
  expect(await sweepAt(new Date(expiry + 1))).not.toHaveProperty("auditMonths");
});

it("entries of the audit log from before its first month, and from after its last one, are deleted in batches", async () => {
  const action = "test.rows";
  const now = new Date("2050-01-01T00:00:00.000Z");
  await sweepAt(now);
  const early = Array.from({ length: 2_500 }, () => entry("1980-01-01T00:00:00.000Z", action, otherTeamId));
  const late = ["2060-01-01T00:00:00.000Z", "2060-01-03T00:00:00.000Z"].map((at) => entry(at, action));
  await client.auditEntry.createMany({ data: [...early, ...late] });
  expect(await sweepAt(now)).toMatchObject({ auditEntries: 2_500 });
  expect(await sweepAt(now)).not.toHaveProperty("auditEntries");
  expect(await client.auditEntry.count({ where: { teamId, action } })).toBe(2);
});

it("entries of the audit log in a partition of several months, after a time without a worker, are deleted as they expire", async () => {
  const action = "test.long";
  await sweepAt("2070-01-15T00:00:00.000Z");
  const moments = ["2070-08-01T00:00:00.000Z", "2070-10-01T00:00:00.000Z", "2071-01-31T00:00:00.000Z"];
  await client.auditEntry.createMany({ data: moments.map((at) => entry(at, action)) });
  const kept = async () => {
    const entries = await client.auditEntry.findMany({ where: { teamId, action }, orderBy: { at: "asc" } });
    return entries.map(({ at }) => at.toISOString());
  };
  await sweepAt("2071-01-31T12:00:00.000Z");
  expect(await kept()).toEqual(moments);
  expect(await sweepAt("2071-08-01T00:00:00.001Z")).toMatchObject({ auditEntries: 1 });
  expect(await kept()).toEqual(moments.slice(1));
  expect(await sweepAt("2072-01-31T00:00:00.001Z")).toMatchObject({ auditEntries: 2 });
  expect(await kept()).toEqual([]);
});
