import type { DocumentView } from "@kb/core";
import type { One } from "@kb/http/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inApp } from "./in-app.ts";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
afterAll(() => setting.close());

it("deleting a collection is 200, then 404 on every path, and its documents are restored into a named collection", {
  meta: { proves: ["decision.app.collection-delete"] },
}, async () => {
  const admin = await inApp(setting, setting.world.people.admin);
  const key = setting.as(setting.world.people.admin);
  const collection = await key.post<One<{ id: string }>>("/api/v1/collections", { name: "Doomed" });
  const { id } = collection.body.data;
  const json = { collectionId: id, publish: true };
  const document = (await key.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  const deleted = await admin<One<object>>("collections.delete", { id });
  expect(deleted).toMatchObject({ status: 200, body: { data: { id, status: "deleted", documentCount: 1 } } });
  expect((await admin("collections.delete", { id })).status).toBe(404);
  expect((await admin("collections.grants.list", { id })).status).toBe(404);
  expect((await key.get(`/api/v1/collections/${id}`)).status).toBe(404);
  expect((await key.patch(`/api/v1/collections/${id}`, { name: "Back" })).status).toBe(404);
  expect((await key.post("/api/v1/documents", json)).status).toBe(404);
  expect((await key.get(`/api/v1/documents/${document.id}`)).status).toBe(404);
  const restore = (input: object) => key.post<object>(`/api/v1/documents/${document.id}/restore`, input);
  expect(await restore({})).toMatchObject({ status: 409, body: { details: [{ path: "collectionId" }] } });
  expect((await restore({ collectionId: id })).status).toBe(404);
  expect((await restore({ collectionId: setting.world.collections.open })).status).toBe(200);
});
