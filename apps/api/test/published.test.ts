import { admin, type DocumentView } from "@kb/core";
import { type ApiClient, api, type One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Published = { id: string; title: string; updatedAt: string };
type PublishedPage = { readonly data: readonly Published[]; readonly nextCursor: string | null };

/** A channel, and the API as a holder of its token sees it. */
type Opened = { id: string; client: ApiClient; path: string };

// packages/core/src/published proves the content of channels: here are answers, query strings and caching.

describe("/api/v1/published/{channelId}/documents", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  async function open(collectionId: string): Promise<Opened> {
    const { service, teamId } = setting.world;
    const input = { name: "Site", collections: [collectionId], tags: [], team: teamId };
    const { id, token } = await admin.createChannel(service, input);
    return { id, client: api(setting.app, token), path: `/api/v1/published/${id}/documents` };
  }
  const collection = async (): Promise<string> =>
    (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "For the world" })).body.data.id;
  const make = async (input: object): Promise<DocumentView> =>
    (await editor.post<One<DocumentView>>("/api/v1/documents", { publish: true, ...input })).body.data;
  const ids = async (channel: Opened, query = ""): Promise<string[]> =>
    (await channel.client.get<PublishedPage>(`${channel.path}${query}`)).body.data.map((row) => row.id);

  it("returns 200 with exactly the fields of the channel view", {
    meta: {
      proves: [
        "published.purpose",
        "published.list",
        "published.get",
        "published.field.id",
        "published.field.title",
        "published.field.emoji",
        "published.field.text",
        "published.field.collection-id",
        "published.field.published-at",
        "published.field.updated-at",
      ],
    },
  }, async () => {
    const collectionId = await collection();
    const made = await make({ collectionId, title: "Hours", emoji: "🕘", text: "Open **daily**.", tags: ["x"] });
    const channel = await open(collectionId);
    const data = {
      id: made.id,
      title: "Hours",
      emoji: "🕘",
      text: made.text,
      collectionId,
      publishedAt: made.publishedAt,
      updatedAt: made.updatedAt,
    };
    const one = await channel.client.get<One<Published>>(`${channel.path}/${made.id}`);
    expect({ status: one.status, body: one.body }).toEqual({ status: 200, body: { data } });
    const page = await channel.client.get<PublishedPage>(channel.path);
    expect({ status: page.status, body: page.body }).toEqual({ status: 200, body: { data: [data], nextCursor: null } });
  });

  it("a document outside the channel is 404 with the body and the headers of an unknown one", {
    meta: { proves: ["published.not-found", "decision.channels.shown"] },
  }, async () => {
    const collectionId = await collection();
    const channel = await open(collectionId);
    const draft = await make({ collectionId, publish: false });
    const archived = await make({ collectionId });
    const trashed = await make({ collectionId });
    await editor.post(`/api/v1/documents/${archived.id}/archive`);
    await editor.delete(`/api/v1/documents/${trashed.id}`);
    const unknown = await channel.client.get(`${channel.path}/${unknownId}`);
    expect(unknown).toMatchObject({ status: 404, body: { error: "Document not found", code: "not_found" } });
    const { guide, foreign } = setting.world.documents;
    for (const { id } of [draft, archived, trashed, guide, foreign]) {
      const { status, body, headers } = await channel.client.get(`${channel.path}/${id}`);
      expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body });
      expect([...headers.keys()]).toEqual([...unknown.headers.keys()]);
    }
  });

  it("limit, cursor and updatedSince are read from the query string, and anything else is 400", {
    meta: {
      proves: ["published.cursor", "published.next-cursor", "published.updated-since", "decision.channels.limit"],
    },
  }, async () => {
    const collectionId = await collection();
    const one = await make({ collectionId });
    const two = await make({ collectionId });
    const three = await make({ collectionId });
    const channel = await open(collectionId);
    const { body } = await channel.client.get<PublishedPage>(`${channel.path}?limit=2`);
    expect(body.nextCursor).toBe(two.updatedAt);
    expect(await ids(channel, `?limit=2&cursor=${body.nextCursor}`)).toEqual([one.id]);
    expect(await ids(channel, `?updatedSince=${one.updatedAt}`)).toEqual([three.id, two.id]);
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=2.5",
      "limit=many",
      "cursor=yesterday",
      "updatedSince=1",
      `cursor=${unknownId}`,
      "offset=1",
      "format=markdown",
    ]) {
      expect((await channel.client.get(`${channel.path}?${query}`)).status, query).toBe(400);
    }
  });

  describe("caching", () => {
    it("the list and each document have an ETag that depends on their content and the settings", {
      meta: { proves: ["decision.channels.etag"] },
    }, async () => {
      const collectionId = await collection();
      const { id } = await make({ collectionId, text: "first" });
      const channel = await open(collectionId);
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

    it("a document that left the channel is 404 with any If-None-Match", {
      meta: { proves: ["decision.channels.leaves", "decision.channels.etag"] },
    }, async () => {
      const collectionId = await collection();
      const { id } = await make({ collectionId });
      const channel = await open(collectionId);
      const path = `${channel.path}/${id}`;
      const tag = (await channel.client.get(path)).headers.get("ETag") ?? "";
      await editor.patch(`/api/v1/documents/${id}`, { published: false });
      expect((await channel.client.get(path, { "If-None-Match": tag })).status).toBe(404);
    });
  });
});
