import type { DocumentView } from "@kb/core";
import type { ApiClient, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("the body of a document over HTTP", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  it("has at most 1,500,000 characters of Markdown; a longer one is 413", {
    meta: { proves: ["decision.api.markdown-limit"] },
  }, async () => {
    const text = "x".repeat(1_500_000);
    const json = { collectionId: setting.world.collections.open, text };
    const made = await editor.post<One<DocumentView>>("/api/v1/documents", json);
    expect(made.status).toBe(201);
    const path = `/api/v1/documents/${made.body.data.id}`;
    const tooLarge = { status: 413, body: { code: "payload_too_large" } };
    expect(await editor.patch(path, { text: `${text}.` })).toMatchObject(tooLarge);
    expect(await editor.post(`${path}/edits`, { op: "append", markdown: "More." })).toMatchObject(tooLarge);
    const read = await editor.get<One<DocumentView>>(`${path}?format=markdown`);
    expect(read.body.data.markdownText).toBe(`${text}\n`);
    expect((await editor.patch<object>(path, { text: read.body.data.markdownText })).status).toBe(200);
  });

  it("is 422 too_complex if it takes more memory or processor time than a body may", { timeout: 120_000 }, async () => {
    const json = { collectionId: setting.world.collections.open, text: "-\n".repeat(745_000) };
    expect(await editor.post<object>("/api/v1/documents", json)).toMatchObject({
      status: 422,
      body: { code: "too_complex" },
    });
    expect((await editor.get<object>("/api/v1/me")).status).toBe(200);
  });
});
