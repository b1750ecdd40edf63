import { connect, newId, sql, stampChange, type Tx } from "@kb/db";
import { afterAll, describe, expect, it } from "vitest";
import { advanceCursors } from "./changes/index.ts";
import type { DomainEvent } from "./events.ts";
import { FinalChange } from "./final-change.ts";
import { invoke, operations } from "./index.ts";
import { transactionWithOutbox, withOutbox, writeDispatchedEvent } from "./outbox.ts";
import { inApp } from "./testing/live-client.ts";
import { testWorld } from "./testing/test-world.ts";

const { test, world } = await testWorld();

const id = newId();
const countEvents = () => test.database.client.event.count({ where: { teamId: world.teamId } });

async function countWaitingForLock(): Promise<number> {
  const rows = await test.database.acrossTeams.rows(sql`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows.length;
}

/** Emits an event after a change of the team's name. */
async function renameAndEmit(tx: Tx, event: DomainEvent): Promise<void> {
  await tx.team.update({ where: { id: world.teamId }, data: { name: "Renamed" } });
  await withOutbox(tx, world.people.admin.actor, async (outbox) =>
    outbox.emit(await stampChange(tx, world.teamId, new Date()), [event]),
  );
}

describe("an event", () => {
  it("is written when its data matches the schema of its type", async () => {
    const before = await countEvents();
    await test.database.transaction((tx) => renameAndEmit(tx, { type: "tag.created", data: { id, name: "a" } }));
    expect(await countEvents()).toBe(before + 1);
  });

  it.each<[string, DomainEvent]>([
    ["lacks a field", { type: "tag.created", data: { id } }],
    ["has a field of another type", { type: "tag.created", data: { id, name: 7 } }],
    ["has a field more", { type: "tag.created", data: { id, name: "a", text: "secret" } }],
    ["is the data of another type of event", { type: "webhook.test", data: { id, name: "a" } }],
  ])("whose data %s cannot be written, and its change is rolled back", async (_, event) => {
    const before = await countEvents();
    await test.database.client.team.update({ where: { id: world.teamId }, data: { name: "Before" } });
    const change = test.database.transaction((tx) => renameAndEmit(tx, event));
    await expect(change).rejects.toThrow(`The data of the event ${event.type} does not match its schema`);
    const team = await test.database.client.team.findUnique({ where: { id: world.teamId } });
    expect(team?.name).toBe("Before");
    expect(await countEvents()).toBe(before);
  });

  it("of a change that waits for the team's clock is delivered to a webhook that is created meanwhile", async () => {
    const { service, teamId, people, collections } = world;
    const { actor } = people.admin;
    const { id: documentId } = await invoke(service, operations.createDocument, actor, {
      collectionId: collections.open,
    });
    await advanceCursors(service);
    const clock = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = test.database.transaction(async (tx) => {
      await stampChange(tx, teamId, new Date());
      isHeld.resolve();
      await clock.promise;
    });
    await isHeld.promise;
    const changing = invoke(service, operations.updateDocument, actor, { id: documentId, title: "Changed" });
    await expect.poll(countWaitingForLock, { timeout: 30_000 }).toBe(1);
    const webhook = { url: "https://example.org/", events: ["document.updated"] };
    const { id: subscriptionId } = await invoke(service, operations.createWebhook, inApp(people.admin), webhook);
    clock.resolve();
    await Promise.all([holding, changing]);
    await advanceCursors(service);
    expect(await test.database.client.webhookDelivery.count({ where: { teamId, subscriptionId, documentId } })).toBe(1);
  });

  it("that is written with its delivery needs matching data too", async () => {
    const write = test.database.transaction(async (tx) =>
      writeDispatchedEvent(tx, world.people.admin.actor, await stampChange(tx, world.teamId, new Date()), {
        type: "webhook.test",
        data: { id },
      }),
    );
    await expect(write).rejects.toThrow("The data of the event webhook.test does not match its schema");
  });
});

describe("the final change of a transaction", () => {
  const sent: { text: string; beginsTrip: boolean }[] = [];
  const database = connect({
    url: test.url,
    onQuery: (text, _, beginsTrip) => void sent.push({ text: text.trim(), beginsTrip }),
  });
  afterAll(() => database.close());

  const { teamId } = world;
  const now = new Date();
  const event = (name: string): DomainEvent => ({ type: "tag.created", data: { id, name } });
  const rename = (name: string, check?: () => Promise<void>) =>
    new FinalChange(
      {
        now,
        id: teamId,
        events: [event(name)],
        statement: (at) => sql`UPDATE teams SET name = ${name} WHERE id = ${teamId}::uuid AND ${at} IS NOT NULL`,
        check,
      },
      (at) => ({ name, at }),
    );
  const teamName = async () => (await test.database.client.team.findUniqueOrThrow({ where: { id: teamId } })).name;
  const namesOfEvents = async (after: bigint) => {
    const events = await test.database.client.event.findMany({
      where: { teamId, sequence: { gt: after } },
      orderBy: { sequence: "asc" },
    });
    return events.map(({ data }) => Reflect.get(Object(data), "name"));
  };
  const lastSequence = async () =>
    (await test.database.client.event.findFirst({ where: { teamId }, orderBy: { sequence: "desc" } }))?.sequence ?? 0n;

  it("commits in its round trip with everything collected, after a statement that was sent later", async () => {
    const before = await lastSequence();
    sent.length = 0;
    const result = await transactionWithOutbox(database, world.people.admin.actor, async (tx, outbox) => {
      outbox.emit(await stampChange(tx, teamId, now), [event("collected")]);
      const final = rename("final");
      await tx.execute(sql`UPDATE teams SET name = 'earlier' WHERE id = ${teamId}::uuid`);
      return final;
    });
    expect(result.name).toBe("final");
    expect(await teamName()).toBe("final");
    expect(await namesOfEvents(before)).toEqual(["collected", "final"]);
    const trips = sent.map(({ text, beginsTrip }) => `${beginsTrip ? "*" : "+"} ${text.slice(0, 6)}`);
    expect(trips.slice(0, 5)).toEqual(["* BEGIN", "+ INSERT", "* UPDATE", "* WITH s", "+ COMMIT"]);
  });

  it("is not written if its check fails, nor is anything collected", async () => {
    const before = await lastSequence();
    const kept = await teamName();
    const refuse = () => Promise.reject(new Error("refused"));
    const work = transactionWithOutbox(database, world.people.admin.actor, async (tx, outbox) => {
      outbox.emit(await stampChange(tx, teamId, now), [event("collected")]);
      return rename("refused", refuse);
    });
    await expect(work).rejects.toThrow("refused");
    expect(await teamName()).toBe(kept);
    expect(await namesOfEvents(before)).toEqual([]);
  });
});
