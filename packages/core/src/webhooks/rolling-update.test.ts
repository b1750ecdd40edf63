import { setTimeout as pause } from "node:timers/promises";
import { type Database, newId, sql } from "@kb/db";
import { expect, it } from "vitest";
import { advanceCursors } from "../changes/index.ts";
import { createDocument } from "../documents/create.ts";
import { invoke } from "../invoke.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();

/** One run of the previous release's worker, which uses the mark in `dispatchedAt` and no cursor. */
async function dispatchAsBefore(database: Database, teamId: string): Promise<void> {
  await database.transaction(async (tx) => {
    const [lock] = await tx.rows<{ taken: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`dispatch:${teamId}`}, 0)) AS taken`,
    );
    if (lock?.taken !== true) return;
    const events = await tx.rows<{ id: string }>(sql`SELECT id FROM events
      WHERE "teamId" = ${teamId}::uuid AND "dispatchedAt" IS NULL ORDER BY sequence LIMIT 200`);
    const ids = events.map(({ id }) => id);
    await pause(Math.random() * 3);
    await tx.execute(sql`INSERT INTO webhook_deliveries ("teamId", id, "subscriptionId", "eventId", sequence)
      SELECT e."teamId", gen_random_uuid(), w.id, e.id, e.sequence FROM events e JOIN webhook_subscriptions w USING ("teamId")
      WHERE e."teamId" = ${teamId}::uuid AND e.id = ANY(${ids}::uuid[])`);
    await tx.event.updateMany({ where: { teamId, id: { in: ids } }, data: { dispatchedAt: new Date() } });
  });
}

it("a worker of the previous release and one of this release deliver each event once between them", async () => {
  const { service, teamId, people, collections } = world;
  // An event that the previous release has dispatched and that no cursor has passed is not delivered again.
  await test.database.acrossTeams.execute(sql`UPDATE events SET "dispatchedAt" = at`);
  const before = await test.database.client.event.count({ where: { teamId } });
  for (let count = 0; count < 2; count += 1) {
    const data = { teamId, id: newId(), url: "https://example.org/", events: ["*"], secret: new Uint8Array(32) };
    await test.database.client.webhookSubscription.create({ data: { ...data, createdById: people.admin.id } });
  }
  let writing = true;
  const working = [
    (async () => {
      while (writing) await dispatchAsBefore(test.database, teamId);
    })(),
    (async () => {
      while (writing) await advanceCursors(service);
    })(),
  ];
  for (let count = 0; count < 60; count += 1) {
    const given = { title: `Document ${count}`, collectionId: collections.open, publish: true };
    await invoke(service, createDocument, people.admin.actor, given);
  }
  writing = false;
  await Promise.all(working);
  await advanceCursors(service);
  const events = await test.database.client.event.count({ where: { teamId } });
  const deliveries = await test.database.client.webhookDelivery.findMany({ where: { teamId } });
  expect(events - before).toBe(120);
  expect(deliveries).toHaveLength(240);
  expect(new Set(deliveries.map(({ subscriptionId, eventId }) => `${subscriptionId} ${eventId}`)).size).toBe(240);
  // A worker that is rolled back to the previous release finds no event to send again.
  expect(await test.database.client.event.count({ where: { teamId, dispatchedAt: null } })).toBe(0);
});
