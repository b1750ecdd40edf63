import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Page, Reply } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("moves", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const make = async (input: object = {}, by = editor): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, ...input };
    return (await by.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const move = <Body = One<DocumentView>>(id: string, input: object, by = editor): Promise<Reply<Body>> =>
    by.patch<Body>(`/api/v1/documents/${id}`, input);
  const read = async (id: string): Promise<DocumentView> =>
    (await editor.get<One<DocumentView>>(`/api/v1/documents/${id}`)).body.data;
  const collection = async (name: string): Promise<string> =>
    (await editor.post<One<{ id: string }>>("/api/v1/collections", { name })).body.data.id;

  it("parentDocumentId puts a document below another, null at the top [decision.documents.moves] [document.field.parent-document-id]", async () => {
    const [parent, child] = [await make(), await make()];
    expect((await move(child.id, { parentDocumentId: parent.id })).body.data.parentDocumentId).toBe(parent.id);
    const below = await editor.get<Page<DocumentView>>(`/api/v1/documents?parentDocumentId=${parent.id}`);
    expect(below.body.data.map((row) => row.id)).toEqual([child.id]);
    expect((await move(child.id, { parentDocumentId: null })).body.data.parentDocumentId).toBeNull();
  });

  it("collectionId takes what is below along [decision.documents.moves] [document.field.collection-id]", async () => {
    const [root, target] = [await make(), await collection("Target")];
    const child = await make({ parentDocumentId: root.id });
    const grandchild = await make({ parentDocumentId: child.id });
    expect((await move(root.id, { collectionId: target })).body.data).toMatchObject({
      collectionId: target,
      revision: 2,
    });
    expect(await read(child.id)).toMatchObject({ collectionId: target, parentDocumentId: root.id, revision: 2 });
    expect(await read(grandchild.id)).toMatchObject({ collectionId: target, parentDocumentId: child.id, revision: 2 });
  });

  it("a parent in another collection takes the document there", async () => {
    const [document, target] = [await make(), await collection("There")];
    const parent = await make({ collectionId: target });
    const moved = (await move(document.id, { parentDocumentId: parent.id })).body.data;
    expect(moved).toMatchObject({ collectionId: target, parentDocumentId: parent.id });
  });

  it("a move to another collection alone leaves the parent behind", async () => {
    const [parent, target] = [await make(), await collection("Alone")];
    const child = await make({ parentDocumentId: parent.id });
    expect((await move(child.id, { collectionId: target })).body.data).toMatchObject({
      ...{ collectionId: target, parentDocumentId: null },
    });
  });

  it("a parent that is not in the collection of the move is refused", async () => {
    const [parent, document, target] = [await make(), await make(), await collection("Elsewhere")];
    const reply = await move<Failure>(document.id, { collectionId: target, parentDocumentId: parent.id });
    expect(reply).toMatchObject({ status: 400, body: { details: [{ path: "parentDocumentId" }] } });
  });

  it("what may not be seen cannot be moved to [decision.api.hidden] [decision.api.uuid-unknown]", async () => {
    const { collections, documents } = setting.world;
    const document = await make();
    for (const collectionId of [unknownId, collections.vault, collections.foreign]) {
      const { status, body } = await move<Failure>(document.id, { collectionId });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Collection not found", code: "not_found" } });
    }
    for (const parentDocumentId of [unknownId, documents.secret.id, documents.foreign.id, documents.trashed.id]) {
      const { status, body } = await move<Failure>(document.id, { parentDocumentId });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
  });

  it("a collection that may only be read takes nothing", async () => {
    const member = setting.as(setting.world.people.member);
    const document = await make({}, member);
    const reply = await move<Failure>(document.id, { collectionId: setting.world.collections.readable }, member);
    expect(reply).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("a document below itself is 409, however long the way [decision.documents.cycle]", async () => {
    const root = await make();
    const chain = [root];
    for (let depth = 0; depth < 5; depth += 1) chain.push(await make({ parentDocumentId: chain.at(-1)?.id }));
    for (const below of chain) {
      const { status, body } = await move<Failure>(root.id, { parentDocumentId: below.id });
      expect({ status, code: body.code, path: body.details?.[0]?.path }).toEqual({
        ...{ status: 409, code: "conflict", path: "parentDocumentId" },
      });
    }
    expect(await read(root.id)).toEqual(root);
  });

  it("of two moves at once that would make a cycle one is refused [decision.documents.cycle]", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await make(), await make()];
      const replies = await Promise.all([
        move<object>(a.id, { parentDocumentId: b.id }),
        move<object>(b.id, { parentDocumentId: a.id }),
      ]);
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
      const parents = [(await read(a.id)).parentDocumentId, (await read(b.id)).parentDocumentId];
      expect(parents.filter((parent) => parent === null)).toHaveLength(1);
    }
  });

  it("nine moves at once over three documents never make a cycle [decision.documents.cycle]", async () => {
    const trio = [await make(), await make(), await make()];
    const pairs = trio.flatMap((from) => trio.map((to) => [from.id, to.id] as const));
    await Promise.all(pairs.map(([id, parentDocumentId]) => move<object>(id, { parentDocumentId })));
    const parents = new Map<string, string | null>();
    for (const { id } of trio) parents.set(id, (await read(id)).parentDocumentId);
    for (const { id } of trio) {
      const seen = new Set<string>();
      for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) {
        expect(seen.has(at)).toBe(false);
        seen.add(at);
      }
    }
  });

  it("what the mover may not edit stays, and moves up to the place that was left", async () => {
    const { world } = setting;
    // The editor reads the vault's neighbour through a key that writes all but one document.
    const target = await collection("For some");
    const top = await make();
    const root = await make({ parentDocumentId: top.id });
    const kept = await make({ parentDocumentId: root.id });
    const key = await world.key(world.people.editor, ["read", "write"], {
      restrictions: {
        collections: { [world.collections.open]: "write", [target]: "write" },
        documents: { [kept.id]: "read" },
      },
    });
    expect((await move(root.id, { collectionId: target }, setting.as(key))).status).toBe(200);
    expect(await read(kept.id)).toMatchObject({ collectionId: world.collections.open, parentDocumentId: top.id });
  });
});
