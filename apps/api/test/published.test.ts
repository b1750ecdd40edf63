import { admin, type DocumentView } from "@kb/core";
import { newId, sql } from "@kb/db";
import { type ApiClient, api, type One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Published = {
  id: string;
  title: string;
  emoji: string | null;
  text: string | null;
  collectionId: string | null;
  publishedAt: string;
  updatedAt: string;
  markdownText?: string;
  html?: string;
};
type PublishedPage = { readonly data: readonly Published[]; readonly nextCursor: string | null };

/** A channel, and the API as one sees it who holds its token. */
type Opened = { id: string; token: string; client: ApiClient; path: string };

describe("/api/v1/published/{channelId}/documents", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  type Shape = { collections?: string[]; tags?: string[]; markdown?: boolean; html?: boolean };
  async function open({ collections = [], tags = [], ...formats }: Shape): Promise<Opened> {
    const { service, teamId } = setting.world;
    const { id, token } = await admin.createChannel(service, {
      ...formats,
      ...{ name: "Site", collections, tags, team: teamId },
    });
    return { id, token, client: api(setting.app, token), path: `/api/v1/published/${id}/documents` };
  }
  const collection = async (): Promise<string> =>
    (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "For the world" })).body.data.id;
  const make = async (input: object): Promise<DocumentView> =>
    (await editor.post<One<DocumentView>>("/api/v1/documents", { publish: true, ...input })).body.data;
  const page = async (channel: Opened, query = ""): Promise<PublishedPage> =>
    (await channel.client.get<PublishedPage>(`${channel.path}${query}`)).body;
  const ids = async (channel: Opened, query = ""): Promise<string[]> =>
    (await page(channel, query)).data.map((row) => row.id);
  /** The status of one document, and whether the list has it: the two must agree. */
  const shows = async (channel: Opened, id: string): Promise<boolean> => {
    const { status } = await channel.client.get(`${channel.path}/${id}`);
    const listed = (await ids(channel, "?limit=100")).includes(id);
    expect(status).toBe(listed ? 200 : 404);
    return listed;
  };

  /** Walks the whole channel, page by page. */
  async function walk(channel: Opened, query: string, between: () => Promise<void> = async () => {}) {
    const pages: (readonly Published[])[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { data, nextCursor }: PublishedPage = await page(channel, `?${query}${cursor && `&cursor=${cursor}`}`);
      pages.push(data);
      cursor = nextCursor;
      await between();
    }
    return pages;
  }

  describe("what is shown", () => {
    it("a document has exactly the fields of the channel view [published.purpose] [published.list] [published.get] [published.field.id] [published.field.title] [published.field.emoji] [published.field.text] [published.field.collection-id] [published.field.published-at] [published.field.updated-at]", async () => {
      const collectionId = await collection();
      const made = await make({ collectionId, title: "Hours", emoji: "🕘", text: "Open **daily**.", tags: ["x"] });
      const channel = await open({ collections: [collectionId] });
      const expected = {
        ...{ id: made.id, title: "Hours", emoji: "🕘", text: made.text, collectionId },
        ...{ publishedAt: made.publishedAt, updatedAt: made.updatedAt },
      };
      const one = await channel.client.get<One<Published>>(`${channel.path}/${made.id}`);
      expect(one).toMatchObject({ status: 200, body: { data: expected } });
      expect(one.body.data).toEqual(expected);
      expect(await page(channel)).toEqual({ data: [expected], nextCursor: null });
    });

    it("markdownText and html are there exactly when the channel's settings ask for them [published.field.markdown-text] [decision.channels.formats]", async () => {
      const collectionId = await collection();
      const { id } = await make({ collectionId, text: "# Hours\n\nOpen **daily** <script>.\n" });
      for (const [markdown, html] of [
        [false, false],
        [true, false],
        [false, true],
        [true, true],
      ] as const) {
        const channel = await open({ collections: [collectionId], markdown, html });
        const [row] = (await page(channel)).data;
        const { data } = (await channel.client.get<One<Published>>(`${channel.path}/${id}`)).body;
        expect(data).toEqual(row);
        expect("markdownText" in data).toBe(markdown);
        expect("html" in data).toBe(html);
        if (markdown) expect(data.markdownText).toContain("Open **daily**");
        if (html) expect(data.html).toContain("Open <strong>daily</strong> &lt;script&gt;.");
      }
    });

    it("only published, unarchived, untrashed documents are shown; others answer 404 [published.not-found] [decision.channels.shown]", async () => {
      const collectionId = await collection();
      const channel = await open({ collections: [collectionId] });
      const states = {
        published: await make({ collectionId }),
        draft: await make({ collectionId, publish: false }),
        archived: await make({ collectionId }),
        trashed: await make({ collectionId }),
        elsewhere: setting.world.documents.guide,
        foreign: setting.world.documents.foreign,
      };
      await editor.post(`/api/v1/documents/${states.archived.id}/archive`);
      await editor.delete(`/api/v1/documents/${states.trashed.id}`);
      const hidden = await channel.client.get(`${channel.path}/${unknownId}`);
      expect(hidden).toMatchObject({ status: 404, body: { error: "Document not found", code: "not_found" } });
      for (const [state, { id }] of Object.entries(states)) {
        expect(await shows(channel, id), state).toBe(state === "published");
        if (state === "published") continue;
        const { status, body, headers } = await channel.client.get(`${channel.path}/${id}`);
        expect({ status, body }, state).toEqual({ status: hidden.status, body: hidden.body });
        expect([...headers.keys()]).toEqual([...hidden.headers.keys()]);
      }
    });

    it("a document leaves the channel the moment it is unpublished, archived, trashed, moved out or loses the tag [decision.channels.leaves]", async () => {
      const [collectionId, other] = [await collection(), await collection()];
      const channel = await open({ collections: [collectionId], tags: [(await tag("site")).name] });
      const { id } = await make({ collectionId, tags: ["site"] });
      const path = `/api/v1/documents/${id}`;
      const ways: [leave: () => Promise<unknown>, comeBack: () => Promise<unknown>][] = [
        [() => editor.patch(path, { published: false }), () => editor.patch(path, { published: true })],
        [() => editor.post(`${path}/archive`), () => editor.post(`${path}/unarchive`)],
        [() => editor.delete(path), () => editor.post(`${path}/restore`)],
        [() => editor.patch(path, { collectionId: other }), () => editor.patch(path, { collectionId })],
        [() => editor.patch(path, { tags: [] }), () => editor.patch(path, { tags: ["site"] })],
        [
          () => editor.post(`/api/v1/collections/${collectionId}/archive`),
          () => editor.post(`/api/v1/collections/${collectionId}/unarchive`),
        ],
      ];
      for (const [leave, comeBack] of ways) {
        expect(await shows(channel, id)).toBe(true);
        await leave();
        expect(await shows(channel, id)).toBe(false);
        await comeBack();
      }
      expect(await shows(channel, id)).toBe(true);
    });

    const tag = async (name: string) =>
      (await editor.post<One<{ id: string; name: string }>>("/api/v1/tags", { name })).body.data;

    it("any of its collections, any of its tags; where it names both, a document needs both [decision.channels.sources]", async () => {
      const [one, two, three] = [await collection(), await collection(), await collection()];
      for (const name of ["red", "green", "blue"]) await tag(name);
      const made = {
        oneRed: await make({ collectionId: one, tags: ["red"] }),
        oneBlue: await make({ collectionId: one, tags: ["blue"] }),
        twoGreen: await make({ collectionId: two, tags: ["green"] }),
        twoPlain: await make({ collectionId: two }),
        threeRed: await make({ collectionId: three, tags: ["red"] }),
      };
      const shown = async (shape: Shape): Promise<string[]> => {
        const channel = await open(shape);
        const names: string[] = [];
        for (const [name, { id }] of Object.entries(made)) if (await shows(channel, id)) names.push(name);
        return names;
      };
      expect(await shown({ collections: [one, two] })).toEqual(["oneRed", "oneBlue", "twoGreen", "twoPlain"]);
      expect(await shown({ tags: ["red", "green"] })).toEqual(["oneRed", "twoGreen", "threeRed"]);
      expect(await shown({ collections: [one, two], tags: ["red", "green"] })).toEqual(["oneRed", "twoGreen"]);
    });

    it("a tag or a collection that is gone narrows a channel still: it never shows more [decision.channels.sources]", async () => {
      const { teamId } = setting.world;
      const collectionId = await collection();
      const { id: tagId } = await tag("fleeting");
      const { id } = await make({ collectionId, tags: ["fleeting"] });
      const plain = await make({ collectionId });
      const channel = await open({ collections: [collectionId], tags: ["fleeting"] });
      expect(await shows(channel, id)).toBe(true);
      await setting.database.client.tag.delete({ where: { teamId_id: { teamId, id: tagId } } });
      expect(await shows(channel, id)).toBe(false);
      expect(await shows(channel, plain.id)).toBe(false);
    });

    it("no channel tells which documents carry a restricted tag [decision.channels.restricted-tags]", async () => {
      const { teamId } = setting.world;
      const collectionId = await collection();
      const { id: tagId } = await tag("soon secret");
      const { id } = await make({ collectionId, tags: ["soon secret"] });
      const channel = await open({ tags: ["soon secret"] });
      expect(await shows(channel, id)).toBe(true);
      const where = { teamId_id: { teamId, id: tagId } };
      await setting.database.client.tag.update({ where, data: { restricted: true } });
      expect(await shows(channel, id)).toBe(false);
    });
  });

  describe("pages", () => {
    it("newest first, 25 a page by default, 100 at most; nextCursor is passed as cursor and null at the end [published.cursor] [published.next-cursor] [decision.channels.limit]", async () => {
      const collectionId = await collection();
      const made: DocumentView[] = [];
      for (let count = 0; count < 30; count += 1) made.push(await make({ collectionId, title: `Page ${count}` }));
      const channel = await open({ collections: [collectionId] });
      const newest = made.toReversed().map((document) => document.id);
      const first = await page(channel);
      expect(first.data.map((row) => row.id)).toEqual(newest.slice(0, 25));
      expect(first.nextCursor).toBe(first.data.at(-1)?.updatedAt);
      const second = await page(channel, `?cursor=${first.nextCursor}`);
      expect(second.data.map((row) => row.id)).toEqual(newest.slice(25));
      expect(second.nextCursor).toBeNull();
      expect((await page(channel, "?limit=30")).nextCursor).toBeNull();
      expect((await walk(channel, "limit=7")).flat().map((row) => row.id)).toEqual(newest);
      for (const limit of ["0", "101", "2.5", "many"]) {
        expect((await channel.client.get(`${channel.path}?limit=${limit}`)).status, limit).toBe(400);
      }
    });

    it("cursor and updatedSince are moments, both exclusive; another text and an unknown parameter are 400 [published.updated-since] [published.cursor]", async () => {
      const collectionId = await collection();
      const [one, two, three] = [
        await make({ collectionId }),
        await make({ collectionId }),
        await make({ collectionId }),
      ];
      const channel = await open({ collections: [collectionId] });
      expect(await ids(channel, `?updatedSince=${one.updatedAt}`)).toEqual([three.id, two.id]);
      expect(await ids(channel, `?cursor=${three.updatedAt}`)).toEqual([two.id, one.id]);
      expect(await ids(channel, `?cursor=${three.updatedAt}&updatedSince=${one.updatedAt}`)).toEqual([two.id]);
      expect(await ids(channel, `?updatedSince=${three.updatedAt}`)).toEqual([]);
      for (const query of [
        "cursor=yesterday",
        "updatedSince=1",
        `cursor=${unknownId}`,
        "offset=1",
        "format=markdown",
      ]) {
        expect((await channel.client.get(`${channel.path}?${query}`)).status, query).toBe(400);
      }
    });

    it("500 rows of one millisecond are never split by a page, and none is lost [decision.channels.ties]", async () => {
      const collectionId = await collection();
      const { teamId } = setting.world;
      const [tie, older, newer] = ["2026-03-01T00:00:00.500Z", "2026-03-01T00:00:00.499Z", "2026-03-01T00:00:00.501Z"];
      await insert(collectionId, [...Array(500).fill(tie), ...Array(3).fill(older), ...Array(3).fill(newer)]);
      const channel = await open({ collections: [collectionId] });
      for (const limit of [1, 2, 3, 4, 25, 100]) {
        const pages = await walk(channel, `limit=${limit}`);
        expect(pages.flat().map((row) => row.id).length, `limit ${limit}`).toBe(506);
        expect(new Set(pages.flat().map((row) => row.id)).size).toBe(506);
        const moments = pages.flatMap((rows) => [...new Set(rows.map((row) => row.updatedAt))]);
        expect(new Set(moments).size, "a moment is on one page").toBe(moments.length);
      }
      await setting.database.execute(sql`DELETE FROM documents d WHERE d."teamId" = ${teamId}::uuid
        AND d."collectionId" = ${collectionId}::uuid AND d."updatedAt" = ${older}::timestamptz`);
      expect((await walk(channel, "limit=3")).map((rows) => rows.length)).toEqual([3, 500]);
      expect((await walk(channel, "limit=4")).map((rows) => rows.length)).toEqual([503]);
    });

    /** Published documents as another program may have written them: any number in one millisecond. */
    async function insert(collectionId: string, moments: readonly string[]): Promise<void> {
      const { teamId } = setting.world;
      const rows = moments.map((at) => ({ teamId, id: newId(), collectionId, at: new Date(at) }));
      await setting.database.client.document.createMany({
        data: rows.map(({ at, ...row }) => ({
          ...{ ...row, title: "Tied", titleKey: "tied" },
          ...{ runStartedAt: at, createdAt: at, updatedAt: at, publishedAt: at },
        })),
      });
      await setting.database.client.documentBody.createMany({
        data: rows.map(({ id }) => ({ teamId, documentId: id, content: { type: "doc" }, text: "", markdown: "" })),
      });
    }

    it("while others publish and unpublish, a reader of the pages loses nothing that stays, and sees nothing twice [decision.channels.ties]", async () => {
      const collectionId = await collection();
      const stay: string[] = [];
      const flicker: string[] = [];
      for (let count = 0; count < 24; count += 1) {
        stay.push((await make({ collectionId })).id);
        flicker.push((await make({ collectionId })).id);
      }
      const channel = await open({ collections: [collectionId] });
      let turn = 0;
      const gone = new Set<string>();
      const pages = await walk(channel, "limit=5", async () => {
        for (let count = 0; count < 4; count += 1, turn += 1) {
          const id = flicker[turn % flicker.length] ?? "";
          const published = gone.delete(id);
          if (!published) gone.add(id);
          await editor.patch(`/api/v1/documents/${id}`, { published });
        }
        for (const id of gone) expect((await channel.client.get(`${channel.path}/${id}`)).status).toBe(404);
      });
      const seen = pages.flat().map((row) => row.id);
      expect(new Set(seen).size).toBe(seen.length);
      expect(stay.filter((id) => !seen.includes(id))).toEqual([]);
    });
  });

  describe("caching", () => {
    it("ETag and If-None-Match, on the list and on one; the tag follows what is shown, and the settings [decision.channels.etag]", async () => {
      const collectionId = await collection();
      const { id } = await make({ collectionId, text: "first" });
      const channel = await open({ collections: [collectionId] });
      const { teamId } = setting.world;
      const tagOf = async (path: string): Promise<string> => {
        const first = await channel.client.get(path);
        const tag = first.headers.get("ETag") ?? "";
        expect(tag).toMatch(/^"[\w-]{22}"$/);
        expect(first.headers.get("Cache-Control")).toBe("private, max-age=0, must-revalidate");
        for (const held of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
          const again = await channel.client.get(path, { "If-None-Match": held });
          expect(again).toMatchObject({ status: 304, body: undefined });
          expect(again.headers.get("ETag")).toBe(tag);
          expect(again.headers.get("Cache-Control")).toBe("private, max-age=0, must-revalidate");
        }
        return tag;
      };
      const changes = [
        () => editor.patch(`/api/v1/documents/${id}`, { text: "second" }),
        () =>
          setting.database.client.channel.update({
            where: { teamId_id: { teamId, id: channel.id } },
            data: { markdown: true },
          }),
      ];
      for (const path of [channel.path, `${channel.path}/${id}`]) {
        for (const change of changes) {
          const before = await tagOf(path);
          await change();
          expect((await channel.client.get(path, { "If-None-Match": before })).status).toBe(200);
        }
        await editor.patch(`/api/v1/documents/${id}`, { text: "first" });
        const where = { teamId_id: { teamId, id: channel.id } };
        await setting.database.client.channel.update({ where, data: { markdown: false } });
      }
    });

    it("a document that left the channel is 404 whatever tag is shown [decision.channels.leaves] [decision.channels.etag]", async () => {
      const collectionId = await collection();
      const { id } = await make({ collectionId });
      const channel = await open({ collections: [collectionId] });
      const path = `${channel.path}/${id}`;
      const tag = (await channel.client.get(path)).headers.get("ETag") ?? "";
      await editor.patch(`/api/v1/documents/${id}`, { published: false });
      expect((await channel.client.get(path, { "If-None-Match": tag })).status).toBe(404);
    });
  });
});
