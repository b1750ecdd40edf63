import { invoke } from "@kb/core";
import * as operations from "@kb/core/operations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

/** Reads the caller and whether MCP is enabled, once for each call. */
const isDoor = (text: string): boolean =>
  /FROM api_keys k JOIN users u|"mcpEnabled"|UPDATE "public"."api_keys"/.test(text);
// Committed changes are announced in the background, outside of the tool that causes them.
const isTransaction = (text: string): boolean => /^(BEGIN|COMMIT|ROLLBACK|SET |SELECT pg_notify\()/.test(text);

describe("statements of a tool, besides the two of its edge", () => {
  const statements: string[] = [];
  let desk: Desk;
  let editor: Assistant;
  let few: string;
  let many: string;
  beforeAll(async () => {
    desk = await openDesk({ onQuery: (text) => statements.push(text) });
    editor = await desk.as(desk.world.people.editor);
    [few, many] = [await tree(1), await tree(60)];
  });
  afterAll(() => desk.close());

  /** Creates a document with `count` documents below it, in a line and side by side, each with tags; returns its id. */
  async function tree(size: number): Promise<string> {
    const { service, people } = desk.world;
    const { actor } = people.editor;
    const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: `Of ${size}` });
    let parentDocumentId: string | undefined;
    for (let count = 0; count <= size; count += 1) {
      const given = {
        collectionId,
        parentDocumentId,
        title: `Counted ${count}`,
        text: "counted",
        tags: ["a", `b${count}`],
      };
      const { id } = await invoke(service, operations.createDocument, actor, { ...given, publish: true });
      if (count % 3 === 0) parentDocumentId = id;
    }
    return collectionId;
  }

  async function count(tool: string, input: object): Promise<string[]> {
    statements.length = 0;
    const { code, text } = await editor.call(tool, input);
    expect(code, `${tool}: ${text}`).toBeNull();
    return statements.filter((statement) => !isDoor(statement) && !isTransaction(statement));
  }
  const nameOf = (collectionId: string): string => (collectionId === few ? "Of 1" : "Of 60");
  const told = (texts: string[]): string => texts.map((text) => text.replaceAll(/\s+/g, " ").slice(0, 100)).join("\n");

  it("a list takes at most 4, the same for 1 row and for 60", {
    meta: { proves: ["decision.tools.budget"] },
  }, async () => {
    const lists: [string, (collectionId: string) => object][] = [
      ["search", (collectionId) => ({ query: "counted", collectionId, limit: 50 })],
      ["list_documents", (collectionId) => ({ collectionId, limit: 100 })],
      [
        "list_documents",
        (collectionId) => ({ collectionId, tag: "a", updatedSince: "2020-01-01T00:00:00Z", limit: 100 }),
      ],
      ["list_collections", () => ({})],
      ["list_documents", (collectionId) => ({ collectionId, tree: true })],
      ["list_documents", (collectionId) => ({ collection: nameOf(collectionId), tree: true })],
      ["changes", (collectionId) => ({ since: "2020-01-01", collection: nameOf(collectionId), limit: 100 })],
    ];
    for (const [tool, input] of lists) {
      const short = await count(tool, input(few));
      const long = await count(tool, input(many));
      expect(long.length, told(long)).toBeLessThanOrEqual(4);
      expect(long.length, `${told(short)}\n\n${told(long)}`).toBe(short.length);
    }
  });

  it("a document or a diff takes 1, with its place and its headings; a change at most 8, the second step of a delete 9", async () => {
    const { service, people } = desk.world;
    const list = { collectionId: many, limit: 1 };
    const { documents } = await invoke(service, operations.listDocumentsForAssistants, people.editor.actor, list);
    const id = documents[0]?.id;
    expect(await count("get_document", { id })).toHaveLength(1);
    expect(await count("get_document", { id, maxChars: 5 })).toHaveLength(1);
    const several = (
      await invoke(service, operations.listDocumentsForAssistants, people.editor.actor, {
        ...list,
        limit: 10,
      })
    ).documents.map((row) => row.id);
    expect(await count("get_document", { ids: several })).toHaveLength(10);
    expect(await count("changes", { since: "2020-01-01", collectionId: many, limit: 10, diff: true })).toHaveLength(11);
    const changes: [string, object][] = [
      ["create_document", { collectionId: many, markdown: "x" }],
      ["update_document", { id, title: "Counted anew", markdown: "# y" }],
      ["update_document", { id, markdown: "# z", dryRun: true }],
      ["append_to_document", { id, markdown: "more" }],
      ["replace_text", { id, oldText: "more", newText: "less" }],
      ["delete_document", { id }],
      ["delete_document", { id, confirm: true }],
      ["restore_document", { id }],
    ];
    for (const [tool, input] of changes) {
      const taken = await count(tool, input);
      const most = Object.hasOwn(input, "confirm") ? 9 : 8;
      expect(taken.length, `${tool}\n${told(taken)}`).toBeLessThanOrEqual(most);
    }
  });
});
