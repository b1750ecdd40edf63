import type { DocumentView } from "@kb/core";
import type { ApiClient, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("the trash in the app over HTTP", () => {
  let setting: Setting;
  let admin: AppCall;
  let key: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    key = setting.as(setting.world.people.admin);
  });
  afterAll(() => setting.close());

  const writeToTrash = async (): Promise<string> => {
    const json = { collectionId: setting.world.collections.open, publish: true };
    const { body } = await key.post<One<DocumentView>>("/api/v1/documents", json);
    await key.delete<object>(`/api/v1/documents/${body.data.id}`);
    return body.data.id;
  };

  it("destroying is 403 with a key, 200 in the app, and 404 afterwards on every path", {
    meta: { proves: ["documents.state.destroy-in-app", "decision.app.destroy"] },
  }, async () => {
    const id = await writeToTrash();
    const path = `/api/v1/documents/${id}`;
    expect((await key.post("/api/documents.destroy", { id })).status).toBe(403);
    expect((await key.delete(path)).status).toBe(404);
    const destroyed = await admin<One<object>>("documents.destroy", { id });
    expect(destroyed).toMatchObject({ status: 200, body: { data: { id, status: "destroyed", destroyed: 1 } } });
    expect((await key.get(`${path}?deleted=true`)).status).toBe(404);
    expect((await key.post(`${path}/restore`)).status).toBe(404);
    expect((await admin("documents.destroy", { id })).status).toBe(404);
  });

  it("destroying is 404 outside the trash and for an unknown id, 400 for an unknown field, 403 for an editor", {
    meta: { proves: ["decision.app.destroy"] },
  }, async () => {
    const { guide, foreign, trashed } = setting.world.documents;
    const outside = { status: 404, body: { code: "not_in_trash" } };
    expect(await admin("documents.destroy", { id: guide.id })).toMatchObject(outside);
    for (const id of [foreign.id, unknownId]) {
      const { status, body } = await admin("documents.destroy", { id });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
    expect((await admin("documents.destroy", { id: trashed.id, force: true })).status).toBe(400);
    const editor = await inApp(setting, setting.world.people.editor);
    expect(await editor("documents.destroy", { id: trashed.id })).toMatchObject({ status: 403 });
  });

  it("emptying the trash is 200 with the numbers of documents", {
    meta: { proves: ["decision.app.destroy"] },
  }, async () => {
    const id = await writeToTrash();
    const { status, body } = await admin<One<{ destroyed: number; remaining: number }>>("trash.empty");
    expect({ status, body }).toEqual({ status: 200, body: { data: { destroyed: expect.any(Number), remaining: 0 } } });
    expect(body.data.destroyed).toBeGreaterThan(0);
    expect((await key.get(`/api/v1/documents/${id}?deleted=true`)).status).toBe(404);
  });
});
