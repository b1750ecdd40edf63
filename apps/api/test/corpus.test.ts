import type { DocumentView } from "@kb/core";
import { realDocuments } from "@kb/core/testing";
import type { ApiClient, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

const { name, documents } = realDocuments();
const sample = documents.filter((_, index) => index % Math.ceil(documents.length / 40) === 0);

describe(`real documents over HTTP: ${name}`, { timeout: 60_000 }, () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  it("are created with 201 and read back as their Markdown, byte for byte", {
    meta: { proves: ["body.text-or-content", "documents.list.format-markdown"] },
  }, async () => {
    const collectionId = setting.world.collections.open;
    for (const { path, source, markdown } of sample) {
      const json = { title: path.slice(-255), text: source, collectionId, publish: true };
      const { status, body } = await editor.post<One<DocumentView>>("/api/v1/documents", json);
      expect(status, path).toBe(201);
      const read = await editor.get<One<DocumentView>>(`/api/v1/documents/${body.data.id}?format=markdown`);
      expect(read.body.data.markdownText, path).toBe(markdown);
    }
  });

  it.each(["component", "页面", "ンポーネン", "포넌트", "موقع"])(
    "are found by the query %s in the address",
    { meta: { proves: ["decision.search.languages"] } },
    async (query) => {
      const json = { title: `A ${query}`, collectionId: setting.world.collections.open, publish: true };
      const { id } = (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
      const { status, body } = await editor.get<Page<{ document: { id: string } }>>(
        `/api/v1/search?limit=100&query=${encodeURIComponent(query)}`,
      );
      expect(status).toBe(200);
      expect(body.data.map((hit) => hit.document.id)).toContain(id);
    },
  );
});
