import { groupIdsOf } from "@kb/core/testing";
import type { ApiClient, Failure, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Grant = { grantee: { type: string; id: string; name: string }; level: string };
type Grants = Page<Grant> & { defaultAccess: string };

describe("access to a collection over HTTP", () => {
  let setting: Setting;
  let admin: AppCall;
  let key: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    key = setting.as(setting.world.people.admin);
  });
  afterAll(() => setting.close());

  const make = async (): Promise<string> =>
    (await key.post<One<{ id: string }>>("/api/v1/collections", { name: "Shared" })).body.data.id;

  it("grants are set, listed and removed with 200", { meta: { proves: ["decision.app.grants"] } }, async () => {
    const id = await make();
    const { viewer } = setting.world.people;
    const { editors } = await groupIdsOf(setting.world);
    const closed = await admin<One<object>>("collections.setDefaultAccess", { id, defaultAccess: "none" });
    expect(closed).toMatchObject({ status: 200, body: { data: { id, defaultAccess: "none" } } });
    expect((await setting.as(viewer).get(`/api/v1/collections/${id}`)).status).toBe(404);
    const granted = await admin<One<Grant>>("collections.grants.set", { id, userId: viewer.id, level: "read" });
    expect(granted).toMatchObject({ status: 200, body: { data: { grantee: { id: viewer.id }, level: "read" } } });
    await admin("collections.grants.set", { id, groupId: editors, level: "write" });
    expect((await setting.as(viewer).get<object>(`/api/v1/collections/${id}`)).status).toBe(200);
    const { status, body } = await admin<Grants>("collections.grants.list", { id, limit: 1, offset: 1 });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { defaultAccess: "none", total: 3, limit: 1, offset: 1, data: [{ grantee: { id: editors } }] },
    });
    const removed = await admin<One<object>>("collections.grants.remove", { id, userId: viewer.id });
    expect(removed).toMatchObject({ status: 200, body: { data: { id, status: "removed" } } });
    expect((await setting.as(viewer).get(`/api/v1/collections/${id}`)).status).toBe(404);
  });

  it("returns 403 to a caller who does not manage the collection, and 404 as for an unknown one if they cannot see it", {
    meta: { proves: ["decision.app.grants"] },
  }, async () => {
    const { editor, viewer } = setting.world.people;
    const call = await inApp(setting, editor);
    const { open, vault, foreign } = setting.world.collections;
    const attempts = (id: string): [string, object][] => [
      ["collections.grants.list", { id }],
      ["collections.grants.candidates", { id }],
      ["collections.grants.set", { id, userId: viewer.id, level: "read" }],
      ["collections.grants.remove", { id, userId: viewer.id }],
      ["collections.setDefaultAccess", { id, defaultAccess: "none" }],
      ["collections.delete", { id }],
    ];
    for (const [name, input] of attempts(open)) {
      expect(await call(name, input), name).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
    const absent = { status: 404, body: { error: "Collection not found", code: "not_found" } };
    for (const id of [vault, unknownId, foreign]) {
      for (const [name, input] of attempts(id)) {
        const { status, body } = await call<Failure>(name, input);
        expect({ status, body }, `${name} ${id}`).toEqual(absent);
      }
    }
  });

  it("a bad grant is 400, an unknown grantee 404, and removing the last manager 409", async () => {
    const id = await make();
    const { viewer, admin: boss } = setting.world.people;
    expect((await admin("collections.grants.set", { id, level: "read" })).status).toBe(400);
    expect((await admin("collections.grants.set", { id, userId: viewer.id, level: "none" })).status).toBe(400);
    expect((await admin("collections.grants.set", { id, userId: unknownId, level: "read" })).status).toBe(404);
    expect((await admin("collections.grants.remove", { id })).status).toBe(400);
    expect((await admin("collections.grants.remove", { id, userId: boss.id })).status).toBe(409);
    expect((await admin("collections.setDefaultAccess", { id, defaultAccess: "manage" })).status).toBe(400);
  });

  it("a sync cursor from before a change of the caller's access is 410", {
    meta: { proves: ["decision.sync.access-changed"] },
  }, async () => {
    const id = await make();
    await admin("collections.setDefaultAccess", { id, defaultAccess: "none" });
    const viewer = setting.as(setting.world.people.viewer);
    const first = "/api/v1/documents?updatedSince=1970-01-01T00:00:00Z&limit=1000";
    const { nextCursor } = (await viewer.get<{ nextCursor: string }>(first)).body;
    await admin("collections.grants.set", { id, userId: setting.world.people.viewer.id, level: "read" });
    expect((await viewer.get(`/api/v1/documents?cursor=${nextCursor}`)).status).toBe(410);
  });
});
