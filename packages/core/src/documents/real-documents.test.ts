import { callerOf, createWorld, realDocuments, type TestCaller, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";

const writers = 8;
const epoch = "1970-01-01T00:00:00Z";
const { name, isWhole, documents } = realDocuments();
const titleOf = (path: string): string => path.slice(-255);

describe(`real documents: ${name}`, { timeout: 300_000 }, () => {
  let test: TestDatabase;
  let world: World;
  let editor: TestCaller;
  let collectionId: string;
  beforeAll(async () => {
    test = await testDatabase();
    world = await createWorld(test.database);
    editor = callerOf(world, world.people.editor);
    collectionId = (await editor.createCollection({ name: "Real" })).id;
    const waiting = [...documents];
    const write = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await editor.create({ title: titleOf(next.path), text: next.source, collectionId, publish: true });
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
  }, 300_000);
  afterAll(() => test.drop());

  /** Reads a page of the sync. No document is deleted here, so a tombstone is an error. */
  async function readPage(query: object): Promise<{ rows: DocumentView[]; hasMore: boolean }> {
    const { data, hasMore } = await editor.sync({ collectionId, ...query });
    const rows = data.flatMap((row) => ("tombstone" in row ? [] : [row]));
    expect(rows.length).toBe(data.length);
    return { rows, hasMore };
  }

  async function readAll(): Promise<Map<string, DocumentView>> {
    const found = new Map<string, DocumentView>();
    for (let updatedSince = epoch; ; ) {
      const page = await readPage({ updatedSince, format: "markdown" });
      for (const row of page.rows) {
        expect(found.has(row.title), row.title).toBe(false);
        found.set(row.title, row);
        updatedSince = row.updatedAt;
      }
      if (!page.hasMore) return found;
    }
  }

  it("are all read back as their Markdown", {
    meta: { proves: ["body.text-or-content", "documents.list.format-markdown"] },
  }, async () => {
    const rows = await readAll();
    expect(rows.size).toBe(documents.length);
    expect(documents.length).toBeGreaterThanOrEqual(isWhole ? 2_569 : 40);
    const differing = documents.filter(({ path, markdown }) => rows.get(titleOf(path))?.markdownText !== markdown);
    expect(differing.map(({ path }) => path)).toEqual([]);
  });

  it("do not change when what was read is written again", {
    meta: { proves: ["decision.documents.no-op"] },
  }, async () => {
    const rows = [...(await readAll()).values()].filter((_, index) => index % Math.ceil(documents.length / 100) === 0);
    for (const { id, revision, markdownText } of rows) {
      expect((await editor.update(id, { text: markdownText })).revision).toBe(revision);
    }
  });

  it.each([
    ["English", "en", "component"],
    ["French, with accents folded", "fr", "developpement"],
    ["Russian", "ru", "страниц"],
    ["Arabic", "ar", "موقع"],
    ["Hindi", "hi", "साइट"],
    ["Chinese, by a substring", "zh-cn", "页面"],
    ["Japanese, by a substring", "ja", "ンポーネン"],
    ["Korean, by a substring", "ko", "포넌트"],
  ])(
    "are found by words in %s, each hit with a snippet",
    { meta: { proves: ["decision.search.languages", "decision.search.snippet"] } },
    async (_, folder, query) => {
      const { data } = await editor.search(query, { collectionId, limit: 100 });
      expect(data.length).toBeGreaterThan(0);
      expect(data.some((hit) => hit.document.title.startsWith(`${folder}/`))).toBe(true);
      const unmarked = data.filter((hit) => !hit.snippet.includes("<mark>") && !hit.document.title.includes(query));
      expect(unmarked.map((hit) => hit.document.title)).toEqual([]);
    },
  );

  it("are found by a run of Chinese, Japanese or Korean exactly when they contain it", {
    meta: { proves: ["decision.search.languages"] },
  }, async () => {
    const rows = [...(await readAll()).values()];
    for (const query of ["组件", "ページ", "컴포넌트"]) {
      const containing = rows.filter((row) => `${row.title}\n${row.text}`.normalize("NFKC").includes(query));
      const { total } = await editor.search(query, { collectionId, limit: 1 });
      expect(total, query).toBe(containing.length);
    }
  });

  it("are each returned exactly once, unless they are edited, by a sync with updatedSince only while a writer edits", {
    meta: { proves: ["decision.sync.commit-order", "decision.sync.ties", "limits.sync-page-size"] },
  }, async () => {
    const before = [...(await readAll()).values()];
    const edited = before.filter((_, index) => index % 10 === 0);
    let isWriting = true;
    const write = async (): Promise<void> => {
      for (let count = 0; isWriting; count += 1) {
        const { id } = edited[count % edited.length] ?? { id: "" };
        await editor.update(id, { sortOrder: count + 1 });
      }
    };
    const writing = write();
    const limit = Math.max(5, Math.floor(documents.length / 50));
    const seen: DocumentView[] = [];
    let updatedSince = epoch;
    const readNext = async (): Promise<boolean> => {
      const page = await readPage({ updatedSince, limit });
      seen.push(...page.rows);
      updatedSince = page.rows.at(-1)?.updatedAt ?? updatedSince;
      return page.hasMore;
    };
    for (let pages = 0; pages < 80 && (await readNext()); pages += 1);
    isWriting = false;
    await writing;
    while (await readNext());
    const times = new Map<string, number>();
    for (const { id } of seen) times.set(id, (times.get(id) ?? 0) + 1);
    const unedited = before.filter((row) => !edited.includes(row));
    expect(unedited.filter((row) => times.get(row.id) !== 1).map((row) => row.title)).toEqual([]);
    const last = new Map(seen.map((row) => [row.id, row.revision]));
    for (const { id } of edited) expect(last.get(id)).toBe((await editor.get(id)).revision);
  });
});
