import { sql } from "@kb/db";
import type { Failure, Many, One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Webhook = {
  id: string;
  teamId: string;
  url: string;
  events: string[];
  collectionIds: string[];
  enabled: boolean;
  createdById: string;
  createdAt: string;
  lastDeliveryAt: string | null;
};
type WithSecret = Webhook & { secret: string };
type Delivery = { id: string; webhookId: string; eventId: string; type: string; status: string; attempts: number };

const url = "https://hooks.example.com/wiki";

describe("webhooks", () => {
  let setting: Setting;
  let admin: ReturnType<Setting["as"]>;
  beforeAll(async () => {
    setting = await openSetting();
    admin = setting.as(await setting.world.session(setting.world.people.admin));
  });
  afterAll(() => setting.close());

  const create = async (given: object = {}): Promise<WithSecret> =>
    (await admin.post<One<WithSecret>>("/api/webhooks.create", { url, events: ["document.*"], ...given })).body.data;

  it("GET lists all of the team's, each with its fields, for a key that reads [webhooks.list] [webhook.field.*]", async () => {
    const { world } = setting;
    const made = await create({ events: ["document.created", "collection.updated"], name: "Ours" });
    const { status, body } = await setting.as(world.people.viewer).get<Many<Webhook>>("/api/v1/webhooks");
    expect(status).toBe(200);
    expect(body.data).toContainEqual({
      id: made.id,
      teamId: world.teamId,
      name: "Ours",
      url,
      events: ["document.created", "collection.updated"],
      collectionIds: [],
      enabled: true,
      disabledReason: null,
      createdById: world.people.admin.id,
      createdAt: made.createdAt,
      lastDeliveryAt: null,
    });
    const foreign = await setting.as(world.people.outsider).get<Many<Webhook>>("/api/v1/webhooks");
    expect(foreign.body.data).toEqual([]);
  });

  it("a key without the read scope is forbidden the list [errors.scope.webhook-list]", async () => {
    const { world } = setting;
    const writer = setting.as(await world.key(world.people.admin, ["write"]));
    const { status, body } = await writer.get<Failure>("/api/v1/webhooks");
    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
  });

  it("a restricted key sees those that are narrowed to collections which it reads", async () => {
    const { world } = setting;
    const { open, readable } = world.collections;
    const both = await create({ collectionIds: [open, readable] });
    const one = await create({ collectionIds: [open] });
    const key = await world.key(world.people.admin, ["read"], { restrictions: { collections: { [open]: "read" } } });
    const { body } = await setting.as(key).get<Many<Webhook>>("/api/v1/webhooks");
    expect(body.data.map((webhook) => webhook.id)).toEqual([one.id]);
    expect(both.collectionIds.sort()).toEqual([open, readable].sort());
  });

  it("the list names no collection that is hidden from its reader", async () => {
    const { people, collections } = setting.world;
    const { open, vault } = collections;
    const { id } = await create({ collectionIds: [open, vault] });
    const seen = async (client: typeof admin) =>
      (await client.get<Many<Webhook>>("/api/v1/webhooks")).body.data.find((webhook) => webhook.id === id);
    expect((await seen(setting.as(people.viewer)))?.collectionIds).toEqual([open]);
    expect((await seen(setting.as(people.admin)))?.collectionIds.sort()).toEqual([open, vault].sort());
  });

  it("are created, changed and deleted in the app alone [webhooks.session-only] [decision.webhooks.rpc]", async () => {
    const { world } = setting;
    const made = await create();
    const byKey = setting.as(world.people.admin);
    for (const verb of [
      "create",
      "update",
      "delete",
      "list",
      "info",
      "rotateSecret",
      "test",
      "deliveries",
      "redeliver",
    ]) {
      const { status, body } = await byKey.post<Failure>(`/api/webhooks.${verb}`, { id: made.id });
      expect([verb, status, body.code]).toEqual([verb, 403, "forbidden"]);
    }
    const { id } = made;
    const changed = await admin.post<One<Webhook>>("/api/webhooks.update", {
      id,
      enabled: false,
      events: ["*"],
      name: "",
    });
    expect(changed.body.data).toMatchObject({ enabled: false, events: ["*"], name: null });
    const shown = await admin.post<One<Webhook>>("/api/webhooks.info", { id });
    expect(shown.body.data).toEqual(changed.body.data);
    expect((await admin.post<object>("/api/webhooks.delete", { id })).body).toEqual({
      data: { id, status: "deleted" },
    });
    expect((await admin.post<Failure>("/api/webhooks.info", { id })).status).toBe(404);
  });

  it("the secret is in the answer that makes it and nowhere else", async () => {
    const { id, secret } = await create();
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.stringify((await admin.post<object>("/api/webhooks.list")).body)).not.toContain("whsec_");
    const rotated = await admin.post<One<WithSecret>>("/api/webhooks.rotateSecret", { id });
    expect(rotated.body.data.secret).not.toBe(secret);
    const [row] = await setting.database.rows<{ stored: string }>(
      sql`SELECT w::text AS stored FROM webhook_subscriptions w WHERE w."teamId" = ${setting.world.teamId}::uuid AND w.id = ${id}::uuid`,
    );
    const hex = Buffer.from(secret.slice("whsec_".length), "base64").toString("hex");
    expect(row?.stored).not.toContain(hex);
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
  ])("%s: %j is a validation error that names it", async (field, value) => {
    const { status, body } = await admin.post<Failure>("/api/webhooks.create", {
      url,
      events: ["*"],
      [field]: value,
    });
    expect([status, body.code]).toEqual([400, "validation_error"]);
    expect(body.details?.[0]?.path).toMatch(new RegExp(`^${field}`));
  });

  it("a collection that is unknown or another team's is 404, and so is another team's webhook", async () => {
    const { world } = setting;
    for (const collectionId of [unknownId, world.collections.foreign]) {
      const { status } = await admin.post<Failure>("/api/webhooks.create", {
        url,
        events: ["*"],
        collectionIds: [collectionId],
      });
      expect(status).toBe(404);
    }
    const { id } = await create();
    const outsider = setting.as(await world.session(world.people.outsider));
    for (const verb of ["info", "update", "delete", "rotateSecret", "test", "deliveries"]) {
      const { status, body } = await outsider.post<Failure>(`/api/webhooks.${verb}`, { id });
      expect([verb, status, body.code]).toEqual([verb, 404, "not_found"]);
    }
  });

  it("a test event is queued for this webhook alone, and a delivery can be sent again", async () => {
    const { id } = await create();
    await create();
    const tested = await admin.post<One<Delivery>>("/api/webhooks.test", { id });
    expect(tested.body.data).toMatchObject({ webhookId: id, type: "webhook.test", status: "pending", attempts: 0 });
    const again = await admin.post<One<Delivery>>("/api/webhooks.redeliver", { id: tested.body.data.id });
    expect(again.body.data.eventId).toBe(tested.body.data.eventId);
    const log = await admin.post<{ data: Delivery[]; hasMore: boolean }>("/api/webhooks.deliveries", { id, limit: 1 });
    expect(log.body).toMatchObject({ data: [{ id: again.body.data.id }], hasMore: true });
    const next = { id, limit: 1, before: again.body.data.id };
    const rest = await admin.post<{ data: Delivery[]; hasMore: boolean }>("/api/webhooks.deliveries", next);
    expect(rest.body).toMatchObject({ data: [{ id: tested.body.data.id }], hasMore: false });
    await admin.post<object>("/api/webhooks.update", { id, enabled: false });
    expect((await admin.post<Failure>("/api/webhooks.test", { id })).status).toBe(400);
    expect((await admin.post<Failure>("/api/webhooks.redeliver", { id: again.body.data.id })).status).toBe(400);
  });

  it("whoever turns another's webhook elsewhere hears of what they can read, not of what that other can [decision.webhooks.audience]", async () => {
    const other = await newPerson(setting, "Admins");
    const call = await inApp(setting, other);
    for (const change of [
      { url: "https://mine.example.com/" },
      { events: ["*"] },
      { collectionIds: [setting.world.collections.open] },
    ]) {
      const { id } = await create();
      const renamed = await call<One<Webhook>>("webhooks.update", { id, url, name: "Same", enabled: true });
      expect(renamed.body.data).toMatchObject({ createdById: setting.world.people.admin.id });
      const turned = await call<One<Webhook>>("webhooks.update", { id, ...change });
      expect(turned.body.data, JSON.stringify(change)).toMatchObject({ ...change, createdById: other.id });
    }
  });

  it("a team has at most 20, also when many are made at once", async () => {
    const before = (await admin.post<Many<Webhook>>("/api/webhooks.list")).body.data.length;
    const tries = await Promise.all(
      Array.from({ length: 25 }, () => admin.post<object>("/api/webhooks.create", { url, events: ["*"] })),
    );
    const made = tries.filter(({ status }) => status === 201).length;
    expect(before + made).toBe(20);
    expect(tries.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true);
  });
});
