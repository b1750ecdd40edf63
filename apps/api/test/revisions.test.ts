import type { DocumentView } from "@kb/core";
import { sql } from "@kb/db";
import { type ApiClient, type One, type Page, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Revision = {
  revision: number;
  title: string;
  emoji: string | null;
  author: { id: string; name: string } | null;
  credentialKind: string;
  credentialName: string | null;
  createdAt: string;
};

describe("revision history", () => {
  const clock = testClock();
  const minute = 60_000;
  let setting: Setting;
  let editor: ApiClient;
  let admin: ApiClient;
  beforeAll(async () => {
    setting = await openSetting({ clock });
    editor = setting.as(setting.world.people.editor);
    admin = setting.as(setting.world.people.admin);
  });
  afterAll(() => setting.close());

  const make = async (text: string): Promise<string> => {
    const json = { collectionId: setting.world.collections.open, title: "T", text };
    return `/api/v1/documents/${(await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data.id}`;
  };
  const history = async (path: string, query = ""): Promise<Page<Revision>> =>
    (await editor.get<Page<Revision>>(`${path}/revisions${query}`)).body;
  const bodyAt = async (path: string, revision: number): Promise<string> =>
    (await editor.get<One<{ markdownText: string }>>(`${path}/revisions/${revision}`)).body.data.markdownText;

  it("shows each state with its author, kind of credential, time and Markdown, newest first [decision.documents.revisions]", async () => {
    const path = await make("one");
    await admin.patch<object>(path, { text: "two" });
    clock.advance(minute);
    await editor.patch<object>(path, { title: "U", emoji: "🎈" });
    const { editor: author, admin: boss } = setting.world.people;
    const { data, ...paging } = await history(path);
    expect(paging).toEqual({ total: 3, limit: 25, offset: 0 });
    const shared = { credentialKind: "api_key", credentialName: "Everyday", createdAt: expect.any(String) };
    expect(data).toEqual([
      { revision: 3, title: "U", emoji: "🎈", author: { id: author.id, name: author.name }, ...shared },
      { revision: 2, title: "T", emoji: null, author: { id: boss.id, name: boss.name }, ...shared },
      { revision: 1, title: "T", emoji: null, author: { id: author.id, name: author.name }, ...shared },
    ]);
    expect([await bodyAt(path, 1), await bodyAt(path, 2), await bodyAt(path, 3)]).toEqual(["one\n", "two\n", "two\n"]);
    const times = data.map((entry) => Date.parse(entry.createdAt));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it("is paged", async () => {
    const path = await make("one");
    for (const text of ["two", "three", "four"]) {
      clock.advance(6 * minute);
      await editor.patch<object>(path, { text });
    }
    const revisions = async (query: string): Promise<number[]> =>
      (await history(path, query)).data.map((entry) => entry.revision);
    expect(await revisions("?limit=2")).toEqual([4, 3]);
    expect(await revisions("?limit=2&offset=2")).toEqual([2, 1]);
    expect((await history(path, "?limit=2&offset=9")).total).toBe(4);
    expect((await editor.get(`${path}/revisions?limit=101`)).status).toBe(400);
  });

  it("a run of edits by one author within five minutes is one stored revision [decision.documents.revision-run]", async () => {
    const path = await make("one");
    for (const text of ["two", "three", "four"]) {
      clock.advance(minute);
      await editor.patch<object>(path, { text });
    }
    expect((await history(path)).data.map((entry) => entry.revision)).toEqual([4]);
    clock.advance(2 * minute + 1);
    await editor.patch<object>(path, { text: "five" });
    expect((await history(path)).data.map((entry) => entry.revision)).toEqual([5, 4]);
    expect(await bodyAt(path, 4)).toBe("four\n");
  });

  it("another author, or another kind of credential, ends the run [decision.documents.revision-run]", async () => {
    const path = await make("one");
    await admin.patch<object>(path, { text: "two" });
    await editor.patch<object>(path, { text: "three" });
    expect((await history(path)).data.map((entry) => entry.revision)).toEqual([3, 2, 1]);
  });

  it("changes that touch neither title, emoji nor body store no revision [decision.documents.revision-run]", async () => {
    const path = await make("one");
    clock.advance(6 * minute);
    await admin.patch<object>(path, { tags: ["x"], published: true, sortOrder: 3 });
    expect((await history(path)).total).toBe(1);
  });

  it("a body is stored once per distinct content [decision.documents.revision-run]", async () => {
    const path = await make("one");
    for (const text of ["two", "one", "two", "one"]) {
      clock.advance(6 * minute);
      await editor.patch<object>(path, { text });
    }
    const [stored] = await setting.database.rows<{ bodies: number; revisions: number }>(sql`
      SELECT (SELECT count(*)::int FROM revision_bodies b WHERE b."teamId" = ${setting.world.teamId}::uuid
          AND b."documentId" = ${path.split("/").at(-1)}::uuid) AS bodies,
        (SELECT count(*)::int FROM document_revisions r WHERE r."teamId" = ${setting.world.teamId}::uuid
          AND r."documentId" = ${path.split("/").at(-1)}::uuid) AS revisions`);
    expect(stored).toEqual({ bodies: 2, revisions: 4 });
  });

  it("restoring one makes its title, emoji and body the current ones, as a new revision [decision.documents.revision-restore]", async () => {
    const path = await make("# One\n\nbody {#x}");
    const original = (await editor.get<One<DocumentView>>(`${path}?format=markdown&include=content`)).body.data;
    await admin.patch<object>(path, { title: "U", emoji: "🎈", text: "two", tags: ["kept"], sortOrder: 4 });
    const { status, headers, body } = await editor.post<One<DocumentView>>(`${path}/revisions/1/restore`);
    expect(status).toBe(200);
    expect(headers.get("ETag")).toBe('"3"');
    expect(body.data).toMatchObject({ title: "T", emoji: null, revision: 3, tags: ["kept"], sortOrder: 4 });
    const now = (await editor.get<One<DocumentView>>(`${path}?format=markdown&include=content`)).body.data;
    expect([now.markdownText, now.content]).toEqual([original.markdownText, original.content]);
    expect(await bodyAt(path, 2)).toBe("two\n");
  });

  it("what was restored is found by the search again", async () => {
    const path = await make("quokkaword");
    await admin.patch<object>(path, { text: "nothing" });
    const total = async (): Promise<number> =>
      (await editor.get<Page<object>>("/api/v1/search?query=quokkaword")).body.total;
    expect(await total()).toBe(0);
    await editor.post<object>(`${path}/revisions/1/restore`);
    expect(await total()).toBe(1);
  });

  it("a revision that is not stored is 404, and viewers restore none", async () => {
    const path = await make("one");
    await editor.patch<object>(path, { published: true });
    expect(await editor.get(`${path}/revisions/9`)).toMatchObject({
      status: 404,
      body: { error: "Revision not found" },
    });
    expect((await editor.post(`${path}/revisions/9/restore`)).status).toBe(404);
    const viewer = setting.as(setting.world.people.viewer);
    expect((await viewer.get<object>(`${path}/revisions`)).status).toBe(200);
    expect((await viewer.post(`${path}/revisions/1/restore`)).status).toBe(403);
  });
});
