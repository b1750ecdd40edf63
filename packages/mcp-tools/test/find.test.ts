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
        results: [
          {
            id: child.id,
            title: "Child",
            collectionName: "Open",
            path: [guide.title],
            snippet: expect.stringContaining("<mark>"),
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
      expect((await editor.call("search", { query: "zebra" })).data).toEqual({ results: [], nextCursor: null });
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
