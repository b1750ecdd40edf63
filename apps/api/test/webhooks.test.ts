import type { Failure, Many, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Webhook = { id: string; name: string | null; enabled: boolean; secret: string };
type Delivery = { id: string; webhookId: string; eventId: string };

const url = "https://hooks.example.com/wiki";

describe("webhooks over HTTP", () => {
  let setting: Setting;
  let admin: ReturnType<Setting["as"]>;
  beforeAll(async () => {
    setting = await openSetting();
    admin = setting.as(await setting.world.session(setting.world.people.admin));
  });
  afterAll(() => setting.close());

  const create = (input: object = {}) =>
    admin.post<One<Webhook>>("/api/webhooks.create", { url, events: ["document.*"], ...input });

  it("GET /api/v1/webhooks returns 200 and a plain list without secrets", {
    meta: { proves: ["webhooks.list"] },
  }, async () => {
    const created = await create({ name: "Ours" });
    expect(created.status).toBe(201);
    const { id, secret } = created.body.data;
    const { status, body } = await setting.as(setting.world.people.admin).get<Many<Webhook>>("/api/v1/webhooks");
    expect(status).toBe(200);
    expect(body).toEqual({ data: [expect.objectContaining({ id, name: "Ours", url })] });
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it("GET /api/v1/webhooks returns 403 insufficient_scope to a key without the read scope", {
    meta: { proves: ["errors.scope.webhook-list"] },
  }, async () => {
    const writer = setting.as(await setting.world.key(setting.world.people.admin, ["write"]));
    const { status, body } = await writer.get<Failure>("/api/v1/webhooks");
    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
  });

  it("webhooks are created, changed and deleted with a session only", {
    meta: { proves: ["webhooks.session-only", "decision.webhooks.rpc"] },
  }, async () => {
    const { id } = (await create()).body.data;
    const byKey = setting.as(setting.world.people.admin);
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
      const { status, body } = await byKey.post<Failure>(`/api/webhooks.${verb}`, { id });
      expect([verb, status, body.code]).toEqual([verb, 403, "forbidden"]);
    }
    const changed = await admin.post<One<Webhook>>("/api/webhooks.update", { id, enabled: false });
    expect(changed).toMatchObject({ status: 200, body: { data: { id, enabled: false } } });
    const info = await admin.post<One<Webhook>>("/api/webhooks.info", { id });
    expect(info).toMatchObject({ status: 200, body: changed.body });
    const deleted = await admin.post<object>("/api/webhooks.delete", { id });
    expect(deleted).toMatchObject({ status: 200, body: { data: { id, status: "deleted" } } });
    expect((await admin.post<Failure>("/api/webhooks.info", { id })).status).toBe(404);
  });

  it("a test, its delivery and the repeat of a delivery return 200, and 400 for a disabled webhook", async () => {
    const { id } = (await create()).body.data;
    const tested = await admin.post<One<Delivery>>("/api/webhooks.test", { id });
    expect(tested).toMatchObject({ status: 200, body: { data: { webhookId: id } } });
    const repeated = await admin.post<One<Delivery>>("/api/webhooks.redeliver", { id: tested.body.data.id });
    expect(repeated).toMatchObject({ status: 200, body: { data: { eventId: tested.body.data.eventId } } });
    const deliveries = await admin.post<Many<Delivery>>("/api/webhooks.deliveries", { id, limit: 1 });
    expect(deliveries).toMatchObject({ status: 200, body: { data: [{ id: repeated.body.data.id }], hasMore: true } });
    await admin.post<object>("/api/webhooks.update", { id, enabled: false });
    expect((await admin.post<Failure>("/api/webhooks.test", { id })).status).toBe(400);
  });

  it("returns 400 for an invalid field, 404 for an unknown collection, and 409 for the 21st webhook", async () => {
    const invalid = await admin.post<Failure>("/api/webhooks.create", { url: "ftp://example.com/", events: ["*"] });
    expect(invalid).toMatchObject({ status: 400, body: { code: "validation_error", details: [{ path: "url" }] } });
    const lost = { url, events: ["*"], collectionIds: [unknownId] };
    expect((await admin.post<Failure>("/api/webhooks.create", lost)).status).toBe(404);
    const statuses = [];
    for (let count = 0; count < 20; count += 1) statuses.push((await create()).status);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
  });
});
