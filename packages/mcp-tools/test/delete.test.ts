import { invoke, operations } from "@kb/core";
import { type TestClock, testClock } from "@kb/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

describe("delete_document, in two steps", () => {
  let clock: TestClock;
  let desk: Desk;
  let editor: Assistant;
  let id: string;
  beforeAll(async () => {
    clock = testClock();
    desk = await openDesk({ clock });
    editor = await desk.as(desk.world.people.editor);
  });
  afterAll(() => desk.close());
  beforeEach(async () => {
    id = await make();
  });

  const make = async (input: object = {}): Promise<string> => {
    const { service, people, collections } = desk.world;
    const given = { title: "To go", text: "Twelve chars", collectionId: collections.open, publish: true, ...input };
    return (await invoke(service, operations.createDocument, people.editor.actor, given)).id;
  };
  const status = async (input: object): Promise<unknown> => (await editor.call("delete_document", input)).data.status;
  const exists = async (): Promise<boolean> => (await editor.call("get_document", { id })).code === null;

  it("without confirm nothing changes, and the preview is right; it is no error", {
    meta: { proves: ["mcp.delete-document.confirm"] },
  }, async () => {
    await make({ parentDocumentId: id });
    const before = await editor.call("get_document", { id });
    const { data, code } = await editor.call("delete_document", { id });
    expect(code).toBeNull();
    expect(data).toEqual({
      status: "confirm_required",
      id,
      preview: { title: "To go", collectionName: "Open", bodyLength: "Twelve chars\n".length, children: 1 },
    });
    expect((await editor.call("get_document", { id })).data).toEqual(before.data);
  });

  it("with confirm after that it is in the trash: status deleted, the id and deletedAt", {
    meta: { proves: ["mcp.delete-document"] },
  }, async () => {
    const child = await make({ parentDocumentId: id });
    await status({ id });
    const { data } = await editor.call("delete_document", { id, confirm: true });
    expect(data).toEqual({ status: "deleted", id, deletedAt: expect.stringMatching(/Z$/) });
    for (const gone of [id, child]) expect((await editor.call("get_document", { id: gone })).code).toBe("NOT_FOUND");
    const { service, people } = desk.world;
    const trash = await invoke(service, operations.listDocuments, people.editor.actor, { deleted: true });
    expect(trash.data.map((document) => document.id)).toEqual(expect.arrayContaining([id, child]));
  });

  it("confirm at first answers confirm_required; the second time it is done", {
    meta: { proves: ["mcp.delete-document.confirm"] },
  }, async () => {
    expect(await status({ id, confirm: true })).toBe("confirm_required");
    expect(await exists()).toBe(true);
    expect(await status({ id, confirm: true })).toBe("deleted");
  });

  it("the first call is remembered ten minutes", {
    meta: { proves: ["decision.tools.delete-remembered"] },
  }, async () => {
    await status({ id });
    clock.advance(600_000);
    expect(await status({ id, confirm: true })).toBe("confirm_required");
    clock.advance(599_000);
    expect(await status({ id, confirm: true })).toBe("deleted");
  });

  it("after an edit in between, of it or below it, it is confirm_required again", {
    meta: { proves: ["decision.tools.delete-remembered"] },
  }, async () => {
    await status({ id });
    clock.advance(1_000);
    await editor.call("append_to_document", { id, markdown: "more" });
    expect(await status({ id, confirm: true })).toBe("confirm_required");
    clock.advance(1_000);
    await make({ parentDocumentId: id });
    expect(await status({ id, confirm: true })).toBe("confirm_required");
    expect(await exists()).toBe(true);
    clock.advance(1_000);
    expect(await status({ id, confirm: true })).toBe("deleted");
  });

  it("one user's first call is not another's, and one document's is not another's", {
    meta: { proves: ["decision.tools.delete-remembered"] },
  }, async () => {
    const admin = await desk.as(desk.world.people.admin);
    const other = await make();
    await status({ id });
    expect((await admin.call("delete_document", { id, confirm: true })).data.status).toBe("confirm_required");
    expect(await status({ id: other, confirm: true })).toBe("confirm_required");
  });

  it("of two confirms at once one deletes", async () => {
    await status({ id });
    const answers = await Promise.all([1, 2].map(() => editor.call("delete_document", { id, confirm: true })));
    expect(answers.map(({ data, code }) => data.status ?? code).sort()).toEqual(["NOT_FOUND", "deleted"]);
  });

  it("leaves no trace in the audit log and no event until it is done", async () => {
    const { client } = desk.world.service.database;
    const { teamId } = desk.world;
    const traces = async (): Promise<number[]> => [
      await client.event.count({ where: { teamId, documentId: id } }),
      await client.auditEntry.count({ where: { teamId, targetId: id } }),
    ];
    const before = await traces();
    await status({ id });
    expect(await traces()).toEqual(before);
    await status({ id, confirm: true });
    expect(await traces()).toEqual(before.map((count) => count + 1));
  });

  it("a caller who may not delete learns so at the first call, and learns nothing of a hidden document", async () => {
    const viewer = await desk.as(desk.world.people.viewer);
    expect((await viewer.call("delete_document", { id })).code).toBe("FORBIDDEN");
    expect((await editor.call("delete_document", { id: desk.world.documents.secret.id })).code).toBe("NOT_FOUND");
  });

  it("restore_document brings it back, and says when a document is not in the trash", {
    meta: { proves: ["mcp.no-hard-delete"] },
  }, async () => {
    await status({ id });
    await status({ id, confirm: true });
    expect((await editor.call("restore_document", { id })).data).toEqual({ id, status: "restored" });
    expect(await exists()).toBe(true);
    expect((await editor.call("restore_document", { id })).code).toBe("NOT_IN_TRASH");
  });
});
