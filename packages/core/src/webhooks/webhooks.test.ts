import { addPerson, callerOf, outcomeOf, sessionCallerOf, type TestCaller, unknownId } from "@kb/core/testing";
import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { changeChannel } from "../changes/channel.ts";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

const url = "https://hooks.example.com/wiki";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);

const create = (input: object = {}, by = admin) =>
  by.run(operations.createWebhook, { url, events: ["document.*"], ...input });
const update = (id: string, change: object, by = admin) => by.run(operations.updateWebhook, { id, ...change });
const remove = (id: string) => admin.run(operations.deleteWebhook, { id });

describe("the list of webhooks", () => {
  it("shows those of the team to every key that reads, with all their fields", {
    meta: { proves: ["webhooks.list", "webhook.field.*"] },
  }, async () => {
    const { people, teamId } = world;
    const made = await create({ events: ["document.created", "collection.updated"], name: "Ours" });
    expect(await callerOf(world, people.viewer).run(operations.listWebhooks)).toContainEqual({
      id: made.id,
      teamId,
      name: "Ours",
      url: new URL(url).origin,
      events: ["document.created", "collection.updated"],
      collectionIds: [],
      enabled: true,
      disabledReason: null,
      createdById: people.admin.id,
      createdAt: made.createdAt,
      lastDeliveryAt: null,
    });
    expect(await callerOf(world, people.outsider).run(operations.listWebhooks)).toEqual([]);
    await remove(made.id);
  });

  it("shows a restricted key only those that are narrowed to collections which it can read", async () => {
    const { open, readable } = world.collections;
    const both = await create({ collectionIds: [open, readable] });
    const one = await create({ collectionIds: [open] });
    const restrictions = { collections: { [open]: "read" } } as const;
    const holder = callerOf(world, await world.key(world.people.admin, ["read"], { restrictions }));
    expect((await holder.run(operations.listWebhooks)).map((webhook) => webhook.id)).toEqual([one.id]);
    expect(both.collectionIds.sort()).toEqual([open, readable].sort());
    await remove(both.id);
    await remove(one.id);
  });

  it("shows complete addresses to users who manage webhooks, and to others only the origin", {
    meta: { proves: ["webhooks.list.address"] },
  }, async () => {
    const { people, collections } = world;
    const address = "https://hooks.example.com:8443/services/T0/B0/secret?token=secret";
    const { id } = await create({ url: address, collectionIds: [collections.open] });
    const restrictions = { collections: { [collections.open]: "read" } } as const;
    const addressFor = async (by: TestCaller): Promise<string | undefined> => {
      const webhooks = await by.run(operations.listWebhooks);
      return webhooks.find((webhook) => webhook.id === id)?.url;
    };
    const adminKey = await world.key(people.admin, ["read"], { restrictions });
    for (const credential of [people.admin, adminKey])
      expect(await addressFor(callerOf(world, credential))).toBe(address);
    const editorKey = await world.key(people.editor, ["read"], { restrictions });
    for (const credential of [people.editor, people.member, people.viewer, editorKey])
      expect(await addressFor(callerOf(world, credential))).toBe("https://hooks.example.com:8443");
    const inApp = await admin.run(operations.listWebhooksInApp);
    expect(inApp.find((webhook) => webhook.id === id)?.url).toBe(address);
    const audit = await admin.run(operations.listAudit, { targetId: id });
    expect(audit.data).toHaveLength(1);
    expect(JSON.stringify(audit)).not.toContain("hooks.example.com");
    await remove(id);
  });

  it("leaves out collections that are hidden from its reader", async () => {
    const { open, vault } = world.collections;
    const { id } = await create({ collectionIds: [open, vault] });
    const collectionsSeenBy = async (name: "viewer" | "admin") => {
      const webhooks = await callerOf(world, world.people[name]).run(operations.listWebhooks);
      return webhooks.find((webhook) => webhook.id === id)?.collectionIds.sort();
    };
    expect(await collectionsSeenBy("viewer")).toEqual([open]);
    expect(await collectionsSeenBy("admin")).toEqual([open, vault].sort());
    await remove(id);
  });
});

it("a webhook is changed, read and deleted", async () => {
  const { id } = await create();
  const changed = await update(id, { enabled: false, events: ["*"], name: "" });
  expect(changed).toMatchObject({ enabled: false, events: ["*"], name: null });
  expect(await admin.run(operations.getWebhook, { id })).toEqual(changed);
  expect(await remove(id)).toEqual({ id, status: "deleted" });
  expect(await outcomeOf(admin.run(operations.getWebhook, { id }))).toBe("not_found");
});

it("the secret is only in the answer that creates it", async () => {
  const { id, secret } = await create();
  expect(secret).toMatch(/^whsec_/);
  expect(JSON.stringify(await admin.run(operations.listWebhooksInApp))).not.toContain("whsec_");
  expect((await admin.run(operations.rotateWebhookSecret, { id })).secret).not.toBe(secret);
  const [row] = await test.database.rows<{ stored: string }>(
    sql`SELECT w::text AS stored FROM webhook_subscriptions w
      WHERE w."teamId" = ${world.teamId}::uuid AND w.id = ${id}::uuid`,
  );
  const hex = Buffer.from(secret.slice("whsec_".length), "base64").toString("hex");
  expect(row?.stored).not.toContain(hex);
  await remove(id);
});

it.each([
  ["url", "ftp://example.com/"],
  ["url", "https://user:secret@example.com/"],
  ["url", "hooks.example.com"],
  ["url", "https://hooks.example.com/\n"],
  ["url", " https://hooks.example.com/"],
  ["url", "https:hooks.example.com"],
  ["url", "https:\\\\hooks.example.com\\"],
  ["url", `https://example.com/${"x".repeat(2_048)}`],
  ["events", []],
  ["events", ["document.exploded"]],
  ["events", ["doc*"]],
  ["events", "document.created"],
  ["collectionIds", ["no id"]],
  ["secret", "mine"],
])("a webhook with %s %j is rejected with the path of the field", async (field, value) => {
  await expect(create({ [field]: value })).rejects.toMatchObject({
    code: "validation_error",
    details: [{ path: expect.stringMatching(new RegExp(`^${field}`)) }],
  });
});

it("a collection that is unknown or of another team is not found, and neither is a webhook of another team", async () => {
  for (const collectionId of [unknownId, world.collections.foreign]) {
    expect(await outcomeOf(create({ collectionIds: [collectionId] }))).toBe("not_found");
  }
  const { id } = await create();
  const outsider = await sessionCallerOf(world, world.people.outsider);
  const calls: Promise<unknown>[] = [
    outsider.run(operations.getWebhook, { id }),
    outsider.run(operations.updateWebhook, { id }),
    outsider.run(operations.deleteWebhook, { id }),
    outsider.run(operations.rotateWebhookSecret, { id }),
    outsider.run(operations.testWebhook, { id }),
    outsider.run(operations.listDeliveries, { id }),
  ];
  expect(new Set(await Promise.all(calls.map(outcomeOf)))).toEqual(new Set(["not_found"]));
  await remove(id);
});

it("a test event is queued for its webhook only, and a delivery can be sent again while the webhook is enabled", async () => {
  const { id } = await create();
  const other = await create();
  const tested = await admin.run(operations.testWebhook, { id });
  expect(tested).toMatchObject({ webhookId: id, type: "webhook.test", status: "pending", attempts: 0 });
  const repeated = await admin.run(operations.redeliver, { id: tested.id });
  expect(repeated.eventId).toBe(tested.eventId);
  const deliveries = (input: object) => admin.run(operations.listDeliveries, { limit: 1, ...input });
  expect(await deliveries({ id })).toMatchObject({ data: [{ id: repeated.id }], hasMore: true });
  const last = await deliveries({ id, before: repeated.id });
  expect(last).toMatchObject({ data: [{ id: tested.id }], hasMore: false });
  expect(await deliveries({ id: other.id })).toEqual({ data: [], hasMore: false });
  await update(id, { enabled: false });
  expect(await outcomeOf(admin.run(operations.testWebhook, { id }))).toBe("validation_error");
  expect(await outcomeOf(admin.run(operations.redeliver, { id: repeated.id }))).toBe("validation_error");
  await remove(id);
  await remove(other.id);
});

it("a delivery that is sent again wakes the workers with its commit", async () => {
  const { id } = await create();
  const tested = await admin.run(operations.testWebhook, { id });
  const received: (string | null)[] = [];
  const stop = test.database.listen(changeChannel, (teamId) => received.push(teamId));
  await expect.poll(() => received).toContain(null);
  // Those of the changes above may still be on their way; this one comes after them.
  test.database.announce({ channel: changeChannel, payload: "the last before" });
  await expect.poll(() => received).toContain("the last before");
  received.length = 0;
  await admin.run(operations.redeliver, { id: tested.id });
  await expect.poll(() => received).toContain(world.teamId);
  stop();
  await remove(id);
});

it.each<[string, () => unknown]>([
  ["url", () => "https://mine.example.com/"],
  ["events", () => ["*"]],
  ["collectionIds", () => [world.collections.open]],
])(
  "a user who changes the %s of a webhook becomes its creator, so that it delivers only what they can read",
  { meta: { proves: ["decision.webhooks.audience"] } },
  async (field, value) => {
    const other = await addPerson(world, "Admins");
    const caller = await sessionCallerOf(world, other);
    const { id } = await create();
    const renamed = await update(id, { url, name: "Same", enabled: true }, caller);
    expect(renamed.createdById).toBe(world.people.admin.id);
    const changed = await update(id, { [field]: value() }, caller);
    expect(changed).toMatchObject({ [field]: value(), createdById: other.id });
    await remove(id);
  },
);

it("a team has at most 20 webhooks, also when many are created at once", async () => {
  const before = (await admin.run(operations.listWebhooksInApp)).length;
  const outcomes = await Promise.all(Array.from({ length: 25 }, () => outcomeOf(create())));
  const created = outcomes.filter((outcome) => outcome === "done").length;
  expect(before + created).toBe(20);
  expect(new Set(outcomes)).toEqual(new Set(["done", "conflict"]));
});
