import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Reply } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("moves over HTTP", () => {
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
  const move = (id: string, input: object, by = editor): Promise<Reply<Failure>> =>
    by.patch(`/api/v1/documents/${id}`, input);

  it("a hidden destination returns the same 404 as an unknown one", {
    meta: { proves: ["decision.api.hidden", "decision.api.uuid-unknown"] },
  }, async () => {
    const { collections, documents } = setting.world;
    const { id } = await make();
    for (const collectionId of [unknownId, collections.vault, collections.foreign]) {
      const { status, body } = await move(id, { collectionId });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Collection not found", code: "not_found" } });
    }
    for (const parentDocumentId of [unknownId, documents.secret.id, documents.foreign.id, documents.trashed.id]) {
      const { status, body } = await move(id, { parentDocumentId });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
  });

  it("a move below itself is 409, into a read-only collection 403, and to a parent in another collection 400", {
    meta: { proves: ["decision.documents.cycle"] },
  }, async () => {
    const root = await make();
    const child = await make({ parentDocumentId: root.id });
    expect(await move(root.id, { parentDocumentId: child.id })).toMatchObject({
      status: 409,
      body: { code: "conflict", details: [{ path: "parentDocumentId" }] },
    });
    const { readable } = setting.world.collections;
    expect(await move(child.id, { collectionId: readable, parentDocumentId: root.id })).toMatchObject({
      status: 400,
      body: { details: [{ path: "parentDocumentId" }] },
    });
    const member = setting.as(setting.world.people.member);
    const mine = await make({}, member);
    expect(await move(mine.id, { collectionId: readable }, member)).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
  });
});
