import { newId, stampChange, type Tx } from "@kb/db";
import { describe, expect, it } from "vitest";
import type { DomainEvent } from "./events.ts";
import { withOutbox, writeDispatchedEvent } from "./outbox.ts";
import { testWorld } from "./testing/test-world.ts";

const { test, world } = await testWorld();

const id = newId();
const countEvents = () => test.database.client.event.count({ where: { teamId: world.teamId } });

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
