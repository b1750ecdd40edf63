import type { DocumentView } from "@kb/core";
import { type ApiClient, type One, type Page, realDocuments } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type SyncPage = { data: DocumentView[]; hasMore: boolean };
type Hit = { document: DocumentView; snippet: string };

const atOnce = 8;
const { name, isWhole, documents } = realDocuments();
const titleOf = (path: string): string => path.slice(-255);

describe(`real documents: ${name}`, { timeout: 300_000 }, () => {
  let setting: Setting;
  let editor: ApiClient;
  let place: string;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
    place = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Real" })).body.data.id;
    const waiting = [...documents];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const json = { title: titleOf(next.path), text: next.source, collectionId: place, publish: true };
        const { status } = await editor.post<object>("/api/v1/documents", json);
        if (status !== 201) throw new Error(`${next.path} answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }, 300_000);
  afterAll(() => setting.close());

  async function readAll(): Promise<Map<string, DocumentView>> {
    const rows = new Map<string, DocumentView>();
    let since = "1970-01-01T00:00:00Z";
    for (;;) {
      const query = `updatedSince=${since}&format=markdown&collectionId=${place}`;
      const { body } = await editor.get<SyncPage>(`/api/v1/documents?${query}`);
      for (const row of body.data) {
        expect(rows.has(row.title), row.title).toBe(false);
        rows.set(row.title, row);
        since = row.updatedAt;
      }
      if (!body.hasMore) return rows;
    }
  }

  it("none is lost, none is mangled: each is read back over REST as its Markdown [body.text-or-content] [documents.list.format-markdown]", async () => {
    const rows = await readAll();
    expect(rows.size).toBe(documents.length);
    expect(documents.length).toBeGreaterThanOrEqual(isWhole ? 2_569 : 40);
    const mangled = documents.filter(({ path, markdown }) => rows.get(titleOf(path))?.markdownText !== markdown);
    expect(mangled.map(({ path }) => path)).toEqual([]);
  });

  it("what was read back and is written again changes nothing [decision.documents.no-op]", async () => {
    const rows = [...(await readAll()).values()].filter((_, index) => index % Math.ceil(documents.length / 100) === 0);
    for (const { id, revision, markdownText } of rows) {
      const { body } = await editor.patch<One<DocumentView>>(`/api/v1/documents/${id}`, { text: markdownText });
      expect(body.data.revision).toBe(revision);
    }
  });

  it.each([
    ["English", "en", "component"],
    ["French, accents folded", "fr", "developpement"],
    ["Russian", "ru", "страниц"],
    ["Arabic", "ar", "موقع"],
    ["Hindi", "hi", "साइट"],
    ["Chinese, by a substring", "zh-cn", "页面"],
    ["Japanese, by a substring", "ja", "ンポーネン"],
    ["Korean, by a substring", "ko", "포넌트"],
  ])(
    "the search finds words in %s, each hit with a snippet [decision.search.languages] [decision.search.snippet]",
    async (_, folder, query) => {
      const path = `/api/v1/search?collectionId=${place}&limit=100&query=${encodeURIComponent(query)}`;
      const { status, body } = await editor.get<Page<Hit>>(path);
      expect(status).toBe(200);
      expect(body.data.length).toBeGreaterThan(0);
      expect(body.data.some((hit) => hit.document.title.startsWith(`${folder}/`))).toBe(true);
      const unmarked = body.data.filter(
        (hit) => !hit.snippet.includes("<mark>") && !hit.document.title.includes(query),
      );
      expect(unmarked.map((hit) => hit.document.title)).toEqual([]);
    },
  );

  it("the search finds exactly the documents that hold a run of Chinese, Japanese or Korean [decision.search.languages]", async () => {
    const rows = [...(await readAll()).values()];
    for (const query of ["组件", "ページ", "컴포넌트"]) {
      const holding = rows.filter((row) => `${row.title}\n${row.text}`.normalize("NFKC").includes(query));
      const path = `/api/v1/search?collectionId=${place}&limit=1&query=${encodeURIComponent(query)}`;
      expect((await editor.get<Page<Hit>>(path)).body.total, query).toBe(holding.length);
    }
  });

  it("a sync by updatedSince alone gives each unedited document exactly once while a writer keeps editing [decision.sync.commit-order] [decision.sync.ties] [limits.sync-page-size]", async () => {
    const before = [...(await readAll()).values()];
    const edited = before.filter((_, index) => index % 10 === 0);
    let writing = true;
    const writer = async (): Promise<void> => {
      for (let count = 0; writing; count += 1) {
        const { id } = edited[count % edited.length] ?? { id: "" };
        await editor.patch<object>(`/api/v1/documents/${id}`, { sortOrder: count + 1 });
      }
    };
    const running = writer();
    const limit = Math.max(5, Math.floor(documents.length / 50));
    const seen: DocumentView[] = [];
    let since = "1970-01-01T00:00:00Z";
    const next = async (): Promise<boolean> => {
      const query = `updatedSince=${since}&limit=${limit}&collectionId=${place}`;
      const { body } = await editor.get<SyncPage>(`/api/v1/documents?${query}`);
      seen.push(...body.data);
      since = body.data.at(-1)?.updatedAt ?? since;
      return body.hasMore;
    };
    for (let pages = 0; pages < 80 && (await next()); pages += 1);
    writing = false;
    await running;
    while (await next());
    const times = new Map<string, number>();
    for (const { id } of seen) times.set(id, (times.get(id) ?? 0) + 1);
    const unedited = before.filter((row) => !edited.includes(row));
    expect(unedited.filter((row) => times.get(row.id) !== 1).map((row) => row.title)).toEqual([]);
    const last = new Map(seen.map((row) => [row.id, row.revision]));
    for (const { id } of edited) {
      const { body } = await editor.get<One<DocumentView>>(`/api/v1/documents/${id}`);
      expect(last.get(id)).toBe(body.data.revision);
    }
  });
});
