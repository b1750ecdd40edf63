import type { DocumentView } from "@kb/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
afterAll(() => setting.close());

it("changes by a viewer are 403, and a document that they may read is 200", {
  meta: { proves: ["decision.access.groups"] },
}, async () => {
  const { documents, collections, people } = setting.world;
  const viewer = setting.as(people.viewer);
  const guide = `/api/v1/documents/${documents.guide.id}`;
  expect((await viewer.get<object>(guide)).status).toBe(200);
  const refused = [
    await viewer.post("/api/v1/documents", { collectionId: collections.open }),
    await viewer.patch(guide, { title: "Mine" }),
    await viewer.delete(guide),
    await viewer.post(`${guide}/archive`),
    await viewer.post(`${guide}/edits`, { op: "append", markdown: "x" }),
    await viewer.post("/api/v1/collections", { name: "Mine" }),
    await viewer.patch(`/api/v1/collections/${collections.open}`, { name: "Mine" }),
    await viewer.post(`/api/v1/collections/${collections.open}/archive`),
    await viewer.post("/api/v1/tags", { name: "mine" }),
  ];
  for (const reply of refused) expect(reply).toMatchObject({ status: 403, body: { code: "forbidden" } });
});

it("the lists of another team hold only its own documents, collections and tags", {
  meta: { proves: ["service.workspace"] },
}, async () => {
  const outsider = setting.as(setting.world.people.outsider);
  const { body } = await outsider.get<{ total: number; data: DocumentView[] }>("/api/v1/documents");
  expect(body).toMatchObject({ total: 1, data: [{ id: setting.world.documents.foreign.id }] });
  const collections = await outsider.get<{ data: object[] }>("/api/v1/collections");
  expect(collections.body.data).toMatchObject([{ id: setting.world.collections.foreign }]);
  expect((await outsider.get<{ data: object[] }>("/api/v1/tags")).body.data).toEqual([]);
});
