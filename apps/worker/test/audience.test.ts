import { invoke, operations } from "@kb/core";
import { allowApp, type Person } from "@kb/core/testing";
import { newId } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openReceiver, type Receiver } from "./receiver.ts";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
let at: Receiver;
beforeAll(async () => {
  setting = await openSetting();
  at = await openReceiver();
});
afterAll(async () => {
  await setting.close();
  await at.close();
});

type Payload = { type: string; data: Record<string, unknown> };

/** Writes a subscription of a user who may no longer subscribe. It keeps the user's access. */
async function subscribeAs(person: Person, collectionIds: readonly string[] = []): Promise<string> {
  const { service, teamId } = setting.world;
  const { client } = service.database;
  const id = newId();
  const secret = service.sealer.seal(new Uint8Array(32));
  const data = { teamId, id, url: `${at.url}/${id}`, events: ["*"], secret, createdById: person.id };
  await client.webhookSubscription.create({ data });
  await client.webhookCollection.createMany({
    data: collectionIds.map((collectionId) => ({ teamId, subscriptionId: id, collectionId })),
  });
  return id;
}

const payloadsOf = (subscription: string): Payload[] =>
  at.received.filter((received) => received.path === `/${subscription}`).map((received) => JSON.parse(received.body));

describe("a subscription receives no event about anything that its creator cannot read", () => {
  it("omits hidden collections, drafts of other users, and documents that were moved or unpublished out of sight", {
    meta: { proves: ["decision.webhooks.audience"] },
  }, async () => {
    const { world } = setting;
    const { service, people, collections } = world;
    const boss = people.admin.actor;
    const viewer = await subscribeAs(people.viewer);
    const admin = await subscribeAs(people.admin);
    const worker = setting.work();
    const make = async (title: string, collectionId: string, publish: boolean): Promise<string> =>
      (await invoke(service, operations.createDocument, boss, { title, collectionId, publish })).id;
    const update = (id: string, change: object) => invoke(service, operations.updateDocument, boss, { id, ...change });
    const vaulted = await make("Vault word", collections.vault, true);
    const draft = await make("Draft word", collections.open, false);
    const moved = await make("Open word", collections.open, true);
    await setting.settled();
    await update(moved, { title: "Moved word", collectionId: collections.vault });
    const unpublished = await make("Seen word", collections.open, true);
    await setting.settled();
    await update(unpublished, { title: "Unseen word", published: false });
    await update(draft, { title: "Said word", published: true });
    await setting.settled();
    await worker.close();
    const words = JSON.stringify(payloadsOf(viewer));
    for (const word of ["Vault word", "Draft word", "Moved word", "Unseen word"]) expect(words).not.toContain(word);
    for (const word of ["Open word", "Seen word", "Said word"]) expect(words).toContain(word);
    expect(words).not.toContain(vaulted);
    const about = (subscription: string, id: string) =>
      payloadsOf(subscription).flatMap(({ type, data }) =>
        data.id === id ? [[type, Object.keys(data).length > 1]] : [],
      );
    // For a document that they lost access to, they only learn that it moved.
    expect(about(viewer, moved)).toEqual([
      ["document.created", true],
      ["document.published", true],
      ["document.moved", false],
    ]);
    expect(about(viewer, unpublished).at(-1)).toEqual(["document.unpublished", false]);
    expect(about(viewer, draft).map(([type]) => type)).toEqual(["document.updated", "document.published"]);
    expect(JSON.stringify(payloadsOf(admin))).toContain("Vault word");
  });

  it("each attempt checks access: a delivery ends if access was lost after the event", async () => {
    const { world } = setting;
    const { service, people, collections } = world;
    const subscription = await subscribeAs(people.viewer);
    const { client } = service.database;
    at.answer = (_request, response) => response.writeHead(500).end();
    const worker = setting.work();
    const { id } = await invoke(service, operations.createDocument, people.admin.actor, {
      title: "Late word",
      collectionId: collections.open,
      publish: true,
    });
    await setting.settled();
    const before = payloadsOf(subscription).length;
    expect(before).toBeGreaterThan(0);
    await world.setDefaultAccess(collections.open, "none");
    setting.clock.advance(10 * 60_000);
    at.answer = (_request, response) => response.writeHead(204).end();
    await setting.settled();
    await worker.close();
    expect(payloadsOf(subscription)).toHaveLength(before);
    const left = await client.webhookDelivery.count({
      where: { teamId: world.teamId, subscriptionId: subscription, documentId: id },
    });
    expect(left).toBe(0);
    await world.setDefaultAccess(collections.open, "write");
  });

  it("a subscription of a suspended user receives nothing, and one limited to collections nothing about others", async () => {
    const { world } = setting;
    const { service, people, collections } = world;
    const { client } = service.database;
    const suspended = await subscribeAs(people.member);
    const narrowed = await subscribeAs(people.admin, [collections.vault]);
    const where = { teamId_id: { teamId: world.teamId, id: people.member.id } };
    await client.user.update({ where, data: { suspendedAt: setting.clock.now() } });
    const worker = setting.work();
    const make = (collectionId: string) =>
      invoke(service, operations.createDocument, people.admin.actor, { title: "Narrow", collectionId, publish: true });
    const inOpen = await make(collections.open);
    const inVault = await make(collections.vault);
    await setting.settled();
    await worker.close();
    await client.user.update({ where, data: { suspendedAt: null } });
    expect(payloadsOf(suspended)).toEqual([]);
    const ids = payloadsOf(narrowed).map(({ data }) => data.id);
    expect(ids).toContain(inVault.id);
    expect(ids).not.toContain(inOpen.id);
  });

  it("events of connected apps go to the user who connected them and to the users who manage all apps", {
    meta: { proves: ["decision.apps.told"] },
  }, async () => {
    const { world } = setting;
    const { service, people, teamId } = world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
    const subscribers = { admin: people.admin, editor: people.editor, viewer: people.viewer };
    const subscribed = await Promise.all(Object.values(subscribers).map((person) => subscribeAs(person)));
    const narrowed = await subscribeAs(people.admin, [world.collections.open]);
    const worker = setting.work();
    const { grantId } = await allowApp(world, people.editor);
    const { id: sessionId } = await world.session(people.editor);
    const credential = { kind: "session", id: sessionId, name: "Browser" } as const;
    await invoke(service, operations.revokeApp, { ...people.editor.actor, credential }, { id: grantId });
    await setting.settled();
    await worker.close();
    const receivedTypes = (subscription: string) =>
      payloadsOf(subscription).flatMap(({ type, data }) => (data.id === grantId ? [type] : []));
    const both = ["app.authorized", "app.revoked"];
    expect(subscribed.map(receivedTypes)).toEqual([both, both, []]);
    expect(receivedTypes(narrowed)).toEqual([]);
  });
});
