import { invoke, operations } from "@kb/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, listOf, openDesk } from "./desk.ts";

describe("finding documents", () => {
  let desk: Desk;
  let editor: Assistant;
  let viewer: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    const { editor: one, viewer: another } = desk.world.people;
    [editor, viewer] = [await desk.as(one), await desk.as(another)];
  });
  afterAll(() => desk.close());

  describe("search", () => {
    it("searches documents: what was found, where it stands, and whether it may be changed", {
      meta: { proves: ["mcp.search", "decision.tools.search"] },
    }, async () => {
      const { guide, child } = desk.world.documents;
      const { data } = await editor.call("search", { query: "below the guide" });
      expect(data).toEqual({
        total: 1,
        results: [
          {
            id: child.id,
            title: "Child",
            collectionName: "Open",
            path: [guide.title],
            snippet: expect.stringContaining("**"),
            updatedAt: child.updatedAt,
            canWrite: true,
            url: child.url,
          },
        ],
        nextCursor: null,
      });
      const [seen] = listOf((await viewer.call("search", { query: "below the guide" })).data.results);
      expect(seen).toMatchObject({ id: child.id, canWrite: false });
    });

    it("shows plain text with the matches between asterisks, or no text, and the number of all hits", {
      meta: { proves: ["decision.tools.search"] },
    }, async () => {
      const given = { collectionId: desk.world.collections.open, publish: true };
      await editor.call("create_document", { ...given, title: "Axolotl A", markdown: "a & b < an axolotl's pond" });
      await editor.call("create_document", { ...given, title: "Axolotl B", markdown: "an axolotl" });
      const { data } = await editor.call("search", { query: "axolotl", limit: 1 });
      expect([data.total, listOf(data.results).length]).toEqual([2, 1]);
      const both = listOf((await editor.call("search", { query: "axolotl" })).data.results);
      expect(both.map(({ snippet }) => snippet).sort()).toEqual(["a & b < an **axolotl**'s pond", "an **axolotl**"]);
      const bare = await editor.call("search", { query: "axolotl", snippets: false });
      expect([bare.data.total, bare.text.includes("snippet")]).toEqual([2, false]);
    });

    it("says when nothing has the words as typed, so that hits of similar words are not taken for them", async () => {
      const given = { collection: "Open", publish: true };
      await editor.call("create_document", { ...given, title: "Salamander", markdown: "of the pond" });
      const { data } = await editor.call("search", { query: "salamamder" });
      expect(data).toMatchObject({ total: 1, similar: true, results: [{ title: "Salamander" }] });
      for (const query of ["salamander", "salamandersandmore"]) {
        expect((await editor.call("search", { query })).data, query).not.toHaveProperty("similar");
      }
    });

    it("canWrite is false with a credential that may only read", {
      meta: { proves: ["mcp.get-document"] },
    }, async () => {
      const reader = await desk.as(await desk.world.key(desk.world.people.editor, ["read"]));
      const [hit] = listOf((await reader.call("search", { query: "below the guide" })).data.results);
      expect(hit).toMatchObject({ canWrite: false });
    });

    it("pages by cursor: 10 by default, 50 at most, every hit once", {
      meta: { proves: ["decision.tools.search"] },
    }, async () => {
      const { people, collections, service } = desk.world;
      for (let count = 0; count < 13; count += 1) {
        await invoke(service, operations.createDocument, people.admin.actor, {
          title: `Paged ${count}`,
          text: "quokka",
          collectionId: collections.open,
          publish: true,
        });
      }
      const first = (await editor.call("search", { query: "quokka" })).data;
      expect(listOf(first.results)).toHaveLength(10);
      const second = (await editor.call("search", { query: "quokka", cursor: first.nextCursor })).data;
      const ids = [...listOf(first.results), ...listOf(second.results)].map((hit) => hit.id);
      expect([new Set(ids).size, second.nextCursor]).toEqual([13, null]);
      expect((await editor.call("search", { query: "quokka", limit: 51 })).code).toBe("INVALID_PARAMETERS");
    });

    it("finds nothing that the caller may not read, and tells no name of a hidden place", async () => {
      const { people, documents, key } = desk.world;
      expect((await editor.call("search", { query: "zebra" })).data).toEqual({
        total: 0,
        results: [],
        nextCursor: null,
      });
      const narrow = await key(people.editor, ["read", "write"], {
        restrictions: { documents: { [documents.child.id]: "read" } },
      });
      const { data } = await (await desk.as(narrow)).call("search", { query: "below the guide" });
      expect(listOf(data.results)).toMatchObject([
        { id: documents.child.id, collectionName: null, path: [], canWrite: false },
      ]);
    });
  });

  describe("list_collections", () => {
    it("returns collections, each with canWrite and how much is in it", {
      meta: { proves: ["mcp.list-collections", "decision.tools.lists"] },
    }, async () => {
      const { collections } = desk.world;
      const { data } = await viewer.call("list_collections");
      const rows = listOf(data.collections);
      expect(rows.map((row) => row.name)).toEqual(["Granted", "Open", "Readable"]);
      expect(rows.every((row) => row.canWrite === false)).toBe(true);
      const mine = listOf((await editor.call("list_collections")).data.collections);
      expect(mine.find((row) => row.id === collections.open)).toMatchObject({ canWrite: true, description: null });
      expect(mine.find((row) => row.id === collections.vault)).toBeUndefined();
      expect(rows.find((row) => row.name === "Granted")).toMatchObject({ documentCount: 1 });
    });

    it("pages by cursor, every collection once", async () => {
      const admin = await desk.as(desk.world.people.admin);
      const seen: unknown[] = [];
      let cursor: unknown = "";
      do {
        const { data } = await admin.call("list_collections", { limit: 1, cursor });
        seen.push(...listOf(data.collections).map((row) => row.name));
        cursor = data.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(["Granted", "Open", "Readable", "Vault"]);
    });
  });

  describe("list_documents", () => {
    it("lists documents without their bodies, newest change first, and pages by cursor", {
      meta: { proves: ["decision.tools.lists"] },
    }, async () => {
      const { data } = await editor.call("list_documents", { limit: 3 });
      const rows = listOf(data.documents);
      expect(rows).toHaveLength(3);
      for (const row of rows) expect(Object.keys(row)).not.toContain("markdown");
      const moments = rows.map((row) => String(row.updatedAt));
      expect(moments).toEqual([...moments].sort().reverse());
      const next = listOf((await editor.call("list_documents", { limit: 3, cursor: data.nextCursor })).data.documents);
      expect(next.every((row) => String(row.updatedAt) < String(moments[2]))).toBe(true);
    });

    it("filters by collection, parent, tag, status and moment; an empty id is none", {
      meta: { proves: ["decision.tools.strict"] },
    }, async () => {
      const { documents, collections } = desk.world;
      const titles = async (input: object): Promise<unknown[]> =>
        listOf((await editor.call("list_documents", input)).data.documents).map((row) => row.title);
      expect(await titles({ parentDocumentId: documents.guide.url })).toEqual(["Child"]);
      expect(await titles({ tag: "GUIDE" })).toEqual(["Guide"]);
      expect(await titles({ status: "archived" })).toEqual(["Archived"]);
      expect(await titles({ collectionId: collections.readable, status: "draft" })).toEqual(["Draft of the admin"]);
      const since = await titles({ collectionId: collections.open, updatedSince: documents.guide.updatedAt });
      expect(since.slice(0, 2)).toEqual(["Child", "Draft of the member"]);
      expect(await titles({ collectionId: "", parentDocumentId: "", tag: "guide", cursor: "" })).toEqual(["Guide"]);
    });

    it("a date stands for its start in UTC, and a row names who changed it last", {
      meta: { proves: ["decision.tools.lists"] },
    }, async () => {
      const { documents, people } = desk.world;
      const { id } = documents.guide;
      await editor.call("update_document", { id, addTags: ["dated"] });
      const day = documents.guide.updatedAt.slice(0, 10);
      const rows = async (updatedSince: string) =>
        listOf((await editor.call("list_documents", { updatedSince, tag: "dated" })).data.documents);
      expect(await rows(day)).toMatchObject([{ id, updatedBy: people.editor.name }]);
      const tomorrow = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
      expect(await rows(tomorrow)).toEqual([]);
      for (const updatedSince of ["2026-02-30", "2026-1-1", "yesterday", "2026-01-31T12:00:00"]) {
        const { text } = await editor.call("list_documents", { updatedSince });
        expect(text).toBe(
          "INVALID_PARAMETERS: updatedSince: Must be a date, such as 2026-01-31, or a time with its zone, such as 2026-01-31T12:00:00Z. Correct the parameter and call again.",
        );
      }
    });

    it("status trashed lists the documents that the caller may restore, the last deleted first", {
      meta: { proves: ["decision.tools.lists"] },
    }, async () => {
      const { documents, collections, people } = desk.world;
      const { trashed } = documents;
      const { data } = await editor.call("create_document", { collectionId: collections.open, markdown: "x" });
      const id = String(data.id);
      await editor.call("delete_document", { id });
      await editor.call("delete_document", { id, confirm: true });
      const rows = listOf((await editor.call("list_documents", { status: "trashed" })).data.documents);
      expect(rows.map((row) => row.id)).toEqual([id, trashed.id]);
      expect(rows[0]).toMatchObject({ status: "trashed", canWrite: false, updatedBy: people.editor.name });
      const filtered = await editor.call("list_documents", { status: "trashed", tag: "absent" });
      expect(filtered.data.documents).toEqual([]);
      // A viewer may restore nothing, and a member only their own.
      for (const assistant of [viewer, await desk.as(people.member)]) {
        expect((await assistant.call("list_documents", { status: "trashed" })).data.documents).toEqual([]);
      }
      const reader = await desk.as(await desk.world.key(people.editor, ["read"]));
      expect(listOf((await reader.call("list_documents", { status: "trashed" })).data.documents)).toHaveLength(2);
      expect((await editor.call("restore_document", { id: rows[0]?.id })).data.status).toBe("restored");
    });

    it("linksTo lists the documents that link to one; of a hidden document there are none", {
      meta: { proves: ["decision.tools.lists"] },
    }, async () => {
      const { documents, collections, people } = desk.world;
      const { guide, secret } = documents;
      const admin = await desk.as(people.admin);
      const markdown = `See [the guide](${guide.url}) and [more](${secret.url}).`;
      const made = await admin.call("create_document", { collectionId: collections.open, markdown, publish: true });
      const ids = async (assistant: Assistant, linksTo: string) =>
        listOf((await assistant.call("list_documents", { linksTo })).data.documents).map((row) => row.id);
      expect(await ids(viewer, guide.url)).toEqual([made.data.id]);
      expect(await ids(admin, secret.id)).toEqual([made.data.id]);
      expect(await ids(viewer, secret.id)).toEqual([]);
    });

    it("who pages on with updatedSince misses nothing that changes meanwhile", async () => {
      const { people, service, documents } = desk.world;
      const input = { updatedSince: documents.guide.createdAt, limit: 2 };
      const seen = new Set<unknown>();
      let page = (await editor.call("list_documents", input)).data;
      const late = listOf((await editor.call("list_documents", { limit: 1 })).data.documents)[0];
      await invoke(service, operations.updateDocument, people.admin.actor, { id: late?.id, emoji: "🐌" });
      for (;;) {
        for (const row of listOf(page.documents)) seen.add(row.id);
        if (page.nextCursor === null) break;
        page = (await editor.call("list_documents", { ...input, cursor: page.nextCursor })).data;
      }
      expect(seen).toContain(late?.id);
    });

    it("a cursor of another order, or of nothing, is an error", async () => {
      const { data } = await editor.call("list_documents", { limit: 1 });
      const turned = { limit: 1, updatedSince: "2026-01-01T00:00:00Z", cursor: data.nextCursor };
      for (const input of [turned, { cursor: "nonsense" }, { cursor: "e30" }]) {
        const answer = await editor.call("list_documents", input);
        expect([answer.code, answer.text]).toEqual(["INVALID_PARAMETERS", expect.stringContaining("cursor")]);
      }
    });
  });
});
