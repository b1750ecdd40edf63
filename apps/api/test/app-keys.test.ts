import type { One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Key = { id: string; name: string; revokedAt: string | null; key: string };

describe("API keys in the app over HTTP", () => {
  let setting: Setting;
  let editor: AppCall;
  beforeAll(async () => {
    setting = await openSetting();
    editor = await inApp(setting, setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const create = (input: object = {}) =>
    editor<One<Key>>("apiKeys.create", { name: "A key", scopes: ["read"], ...input });
  const readGuide = async (key: string) =>
    (await setting.as(key).get<object>(`/api/v1/documents/${setting.world.documents.guide.id}`)).status;

  it("a key is created with 201, and its secret is in no later response", {
    meta: { proves: ["auth.key-created-in-app", "decision.app.secret-once"] },
  }, async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(await readGuide(body.data.key)).toBe(200);
    const list = await editor<Page<Key>>("apiKeys.list", { limit: 100 });
    expect(list).toMatchObject({ status: 200, body: { total: list.body.data.length, limit: 100, offset: 0 } });
    const info = await editor<One<Key>>("apiKeys.info", { id: body.data.id });
    expect(info).toMatchObject({ status: 200, body: { data: { id: body.data.id, name: "A key" } } });
    expect(JSON.stringify({ list, info })).not.toContain(body.data.key);
  });

  it("returns 400 for an invalid field, 404 for an unknown collection or key, and 403 for a call with a key", async () => {
    const restrictions = { collections: { [unknownId]: "read" } };
    expect(await editor("apiKeys.create", { name: "Wrong", scopes: [] })).toMatchObject({
      status: 400,
      body: { code: "validation_error", details: [{ path: "scopes" }] },
    });
    expect(await editor("apiKeys.create", { name: "Wide", scopes: ["read"], restrictions })).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await editor("apiKeys.info", { id: unknownId })).toMatchObject({
      status: 404,
      body: { error: "API key not found" },
    });
    const all = setting.as(await setting.world.key(setting.world.people.admin, ["read", "write", "admin"]));
    const reply = await all.post("/api/apiKeys.create", { name: "Another", scopes: ["read"] });
    expect(reply).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("a key whose restrictions changed gets 404 for resources that it lost, and 410 for its old sync cursor", {
    meta: { proves: ["decision.app.key-restrictions", "decision.sync.access-changed"] },
  }, async () => {
    const { id, key } = (await create()).body.data;
    const client = setting.as(key);
    const sync = "/api/v1/documents?updatedSince=1970-01-01T00:00:00Z";
    const { nextCursor } = (await client.get<{ nextCursor: string }>(sync)).body;
    const updated = await editor<One<object>>("apiKeys.update", { id, restrictions: {} });
    expect(updated).toMatchObject({
      status: 200,
      body: { data: { restricted: true, restrictions: { collections: {}, documents: {} } } },
    });
    expect(await readGuide(key)).toBe(404);
    expect((await client.get(`/api/v1/documents?cursor=${nextCursor}`)).status).toBe(410);
  });

  it("a revoked key is 401 with the next request, and 409 when it is changed", {
    meta: { proves: ["decision.app.at-once"] },
  }, async () => {
    const { id, key } = (await create()).body.data;
    expect(await readGuide(key)).toBe(200);
    const revoked = await editor<One<Key>>("apiKeys.revoke", { id });
    expect(revoked).toMatchObject({ status: 200, body: { data: { id, revokedAt: expect.any(String) } } });
    expect(await readGuide(key)).toBe(401);
    expect((await editor("apiKeys.update", { id, name: "Back" })).status).toBe(409);
  });
});
