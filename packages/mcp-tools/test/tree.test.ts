import { invoke, operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, listOf, openDesk } from "./desk.ts";

type Line = { readonly depth: number; readonly title: string; readonly id: string; readonly isCollection: boolean };

/** Reads an outline as an assistant would. */
function linesOf(tree: unknown): Line[] {
  return String(tree)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, indent = "", title = "", kind = "", id = ""] =
        /^( *)(.*) \((collection |draft |)([0-9a-f-]{36})\)$/.exec(line) ?? [];
      return { depth: indent.length / 2, title, id, isCollection: kind === "collection " };
    });
}

describe("the tree", () => {
  let desk: Desk;
  let editor: Assistant;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    desk = await openDesk();
    editor = await desk.as(desk.world.people.editor);
    const { open } = desk.world.collections;
    const make = async (title: string, parent?: string): Promise<void> => {
      const input = { collectionId: open, title, markdown: `sapling ${title}`, publish: true };
      const { data } = await editor.call("create_document", { ...input, parentDocumentId: parent && ids[parent] });
      ids[title] = String(data.id);
    };
    await make("Root");
    await make("Branch", "Root");
    await make("Leaf", "Branch");
    await make("Twig", "Branch");
    await make("Other root");
  });
  afterAll(() => desk.close());

  const rowsOf = async (assistant: Assistant): Promise<Record<string, unknown>[]> => {
    const rows: Record<string, unknown>[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const { data } = await assistant.call("list_documents", { limit: 5, cursor });
      rows.push(...listOf(data.documents));
      cursor = data.nextCursor;
    }
    return rows;
  };

  it("shows every document that the caller may read once, below the titles of its path, for each kind of caller", {
    meta: { proves: ["decision.tools.tree"] },
  }, async () => {
    const { people, documents, collections, key } = desk.world;
    const narrow = await key(people.editor, ["read"], {
      restrictions: {
        collections: { [collections.readable]: "read" },
        documents: { [documents.child.id]: "read", [String(ids.Branch)]: "read", [String(ids.Twig)]: "read" },
      },
    });
    for (const who of [people.admin, people.editor, people.member, people.viewer, people.outsider, narrow]) {
      const assistant = await desk.as(who);
      const rows = await rowsOf(assistant);
      const { data } = await assistant.call("list_documents", { tree: true });
      const above: string[] = [];
      const shown = new Map<string, { path: string[]; collectionName: string | null }>();
      for (const { depth, title, id, isCollection } of linesOf(data.tree)) {
        above.length = depth;
        above[depth] = title;
        if (isCollection) expect(depth).toBe(0);
        else shown.set(id, { path: above.slice(1, -1), collectionName: above[0] ?? null });
      }
      expect([...shown.keys()].sort()).toEqual(rows.map((row) => row.id).sort());
      for (const row of rows) {
        expect(shown.get(String(row.id))?.path, String(row.title)).toEqual(row.path);
        if (row.collectionName !== null) {
          expect(shown.get(String(row.id))?.collectionName).toBe(row.collectionName);
        }
      }
    }
  });

  it("can be paged: the pages follow each other without a gap, and each names the collection of its first row", async () => {
    const whole = linesOf((await editor.call("list_documents", { tree: true })).data.tree);
    const paged: Line[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const { data } = await editor.call("list_documents", { tree: true, limit: 2, cursor });
      const lines = linesOf(data.tree);
      expect(lines[0]?.isCollection).toBe(true);
      paged.push(...lines);
      cursor = data.nextCursor;
    }
    const documents = (lines: Line[]): Line[] => lines.filter((line) => !line.isCollection);
    expect(documents(paged)).toEqual(documents(whole));
  });

  it("shows one collection, or a document with all below it; of what is hidden, nothing", {
    meta: { proves: ["decision.tools.tree"] },
  }, async () => {
    const titles = async (input: object): Promise<string[]> => {
      const { data, code, text } = await editor.call("list_documents", { tree: true, ...input });
      expect(code, text).toBeNull();
      return linesOf(data.tree).map(({ depth, title }) => `${" ".repeat(depth)}${title}`);
    };
    expect(await titles({ under: ids.Root })).toEqual(["Root", " Branch", "  Leaf", "  Twig"]);
    expect(await titles({ collectionId: desk.world.collections.granted })).toEqual([]);
    expect((await titles({ collection: "open" })).slice(0, 3)).toEqual(["Open", " Guide", "  Child"]);
    const { secret, foreign } = desk.world.documents;
    for (const hidden of [secret.id, foreign.id]) expect(await titles({ under: hidden })).toEqual([]);
    expect(await titles({ collectionId: desk.world.collections.vault })).toEqual([]);
  });

  it("list_documents and search find only what is below a document, at any depth, through what the caller may see", {
    meta: { proves: ["decision.tools.under"] },
  }, async () => {
    const listed = async (assistant: Assistant, under: string | undefined): Promise<unknown[]> =>
      listOf((await assistant.call("list_documents", { under })).data.documents)
        .map((row) => row.title)
        .sort();
    const found = async (assistant: Assistant, under: string | undefined): Promise<unknown[]> => {
      const { data } = await assistant.call("search", { query: "sapling", under, snippets: false });
      const titles = listOf(data.results).map((row) => row.title);
      expect(data.total).toBe(titles.length);
      return titles.sort();
    };
    for (const below of [listed, found]) {
      expect(await below(editor, ids.Root)).toEqual(["Branch", "Leaf", "Twig"]);
      expect(await below(editor, ids.Branch)).toEqual(["Leaf", "Twig"]);
      expect(await below(editor, ids.Leaf)).toEqual([]);
      expect(await below(editor, desk.world.documents.secret.id)).toEqual([]);
    }
    const { people, key } = desk.world;
    // With this key the way from the root to the leaf leads through a document that is hidden.
    const restrictions = { documents: { [String(ids.Root)]: "read", [String(ids.Leaf)]: "read" } } as const;
    const narrow = await desk.as(await key(people.editor, ["read"], { restrictions }));
    for (const below of [listed, found]) {
      expect(await below(narrow, ids.Root)).toEqual([]);
      expect(await below(narrow, ids.Branch)).toEqual([]);
    }
  });

  it("the trash below a document has what was deleted there", async () => {
    const { open: collectionId } = desk.world.collections;
    const parent = String((await editor.call("create_document", { collectionId, markdown: "x" })).data.id);
    const given = { collectionId, markdown: "x", parentDocumentId: parent };
    const id = String((await editor.call("create_document", given)).data.id);
    for (const doomed of [id, parent]) {
      await editor.call("delete_document", { id: doomed });
      expect((await editor.call("delete_document", { id: doomed, confirm: true })).data.status).toBe("deleted");
    }
    const { data } = await editor.call("list_documents", { status: "trashed", under: parent });
    expect(listOf(data.documents).map((row) => row.id)).toEqual([id]);
    expect((await editor.call("list_documents", { under: parent })).data.documents).toEqual([]);
  });

  it("has the collections in the order of the app, where numbers in names count as numbers; so have their list and an error", async () => {
    const { people } = desk.world;
    const admin = await desk.as(people.admin);
    for (const name of ["Team 10", "team 9", "Team 1", "Ämter"]) {
      const { id } = await callerOf(desk.world, people.admin).run(operations.createCollection, { name });
      const made = await admin.call("create_document", {
        collectionId: id,
        title: `In ${name}`,
        markdown: "",
        publish: true,
      });
      expect(made.code).toBeNull();
    }
    const app = await callerOf(desk.world, people.admin).run(operations.listCollections, {});
    const names = app.map(({ name }) => name);
    expect(names).toEqual(["Ämter", "Granted", "Open", "Readable", "Team 1", "team 9", "Team 10", "Vault"]);

    const { data } = await admin.call("list_documents", { tree: true });
    expect(linesOf(data.tree).flatMap(({ title, isCollection }) => (isCollection ? [title] : []))).toEqual(names);

    const listed: unknown[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const page = (await admin.call("list_collections", { limit: 3, cursor })).data;
      listed.push(...listOf(page.collections).map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(listed).toEqual(names);

    const refused = await admin.call("create_document", { collection: "Team 2", title: "Nowhere", markdown: "" });
    expect(refused.text).toContain(names.map((name) => `"${name}"`).join(", "));
  });
});

describe("a collection by its name", () => {
  let desk: Desk;
  let admin: Assistant;
  let viewer: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    admin = await desk.as(desk.world.people.admin);
    viewer = await desk.as(desk.world.people.viewer);
  });
  afterAll(() => desk.close());

  const collectionOf = async (id: unknown): Promise<unknown> =>
    (await admin.call("get_document", { id })).data.collection;

  it("creates, moves, lists and searches by name in any case, by id and by URL", {
    meta: { proves: ["decision.tools.collection-names"] },
  }, async () => {
    const { data } = await admin.call("create_document", { collection: " vault ", markdown: "by name", publish: true });
    expect(await collectionOf(data.id)).toBe("Vault");
    await admin.call("update_document", { id: data.id, collection: "Readable" });
    expect(await collectionOf(data.id)).toBe("Readable");
    const { vault, readable } = desk.world.collections;
    const url = `http://localhost:3000/collections/${vault}`;
    expect((await admin.call("update_document", { id: data.id, collection: url })).data.changed).toEqual([
      "collectionId",
    ]);
    expect((await admin.call("update_document", { id: data.id, collection: readable })).code).toBeNull();
    const found = await admin.call("search", { query: "by name", collection: "readable" });
    expect([
      found.data.total,
      (await admin.call("search", { query: "by name", collection: "open" })).data.total,
    ]).toEqual([1, 0]);
    const { documents } = (await admin.call("list_documents", { collection: "Readable" })).data;
    expect(listOf(documents).map((row) => row.id)).toContain(data.id);
  });

  it("an unknown name is not found like a hidden one, and the error lists the names that the caller may read", {
    meta: { proves: ["decision.tools.collection-names"] },
  }, async () => {
    for (const collection of ["Vault", "Nowhere"]) {
      const { text } = await viewer.call("list_documents", { collection });
      expect(text).toBe(
        `NOT_FOUND: No collection is called "${collection}". You may read "Granted", "Open", "Readable". Call again with one of these names, or with an id.`,
      );
    }
  });

  it("a name of two collections is an error with their ids, unless one has it in this case", async () => {
    const { service, people } = desk.world;
    const create = (name: string) => invoke(service, operations.createCollection, people.admin.actor, { name });
    const first = await create("Twice");
    const second = await create("Twice");
    await create("twice");
    const both = await admin.call("list_documents", { collection: "Twice" });
    expect([both.code, both.text.includes(first.id), both.text.includes(second.id)]).toEqual([
      "INVALID_PARAMETERS",
      true,
      true,
    ]);
    expect((await admin.call("list_documents", { collection: "twice" })).code).toBeNull();
    expect((await admin.call("list_documents", { collection: "TWICE" })).code).toBe("INVALID_PARAMETERS");
  });

  it("a key that may not write is told so before any name is looked up", async () => {
    const reader = await desk.as(await desk.world.key(desk.world.people.editor, ["read"]));
    for (const collection of ["Open", "Nowhere"]) {
      expect((await reader.call("create_document", { collection, markdown: "x" })).code).toBe("READ_ONLY");
    }
  });
});
