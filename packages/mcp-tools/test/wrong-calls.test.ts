import { newId } from "@kb/db";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

let desk: Desk;
let editor: Assistant;
beforeAll(async () => {
  desk = await openDesk();
  editor = await desk.as(desk.world.people.editor);
});
afterAll(() => desk.close());

/** The verbs by which the last sentences of errors begin: what the assistant does next. */
const nextStep = /^(Call again|Check|Choose|Continue|Correct|Find|Give|Read|Send|Tell|There is nothing|Upload|Wait)/;

it("each of 45 wrong calls is answered by its code, what happened, and what to do next", {
  meta: { proves: ["decision.tools.errors"] },
}, async () => {
  const { guide, secret } = desk.world.documents;
  const { open, vault } = desk.world.collections;
  const { id, revision } = guide;
  const markdown = "x";
  const wrong: [code: string, tool: string, input: object][] = [
    ["NOT_FOUND", "get_document", { id: newId() }],
    ["NOT_FOUND", "get_document", { id: secret.id }],
    ["NOT_FOUND", "document_history", { id: newId() }],
    ["NOT_FOUND", "document_history", { id, revision: 999 }],
    ["NOT_FOUND", "restore_revision", { id, revision: 999 }],
    ["NOT_FOUND", "create_document", { collectionId: vault, markdown }],
    ["NOT_FOUND", "create_document", { collection: "Vault", markdown }],
    ["NOT_FOUND", "create_document", { collectionId: open, parentDocumentId: newId(), markdown }],
    ["NOT_FOUND", "update_document", { id, collection: "Nowhere" }],
    ["NOT_FOUND", "update_document", { id, parentDocumentId: secret.id }],
    ["NOT_FOUND", "delete_document", { id: secret.id }],
    ["NOT_FOUND", "append_to_document", { id: secret.id, markdown }],
    ["NOT_FOUND", "upload_file", { documentId: secret.id, name: "a.txt", contentType: "text/plain" }],
    ["NOT_IN_TRASH", "restore_document", { id }],
    ["HEADING_NOT_FOUND", "get_document", { id, section: "Absent" }],
    ["HEADING_NOT_FOUND", "get_document", { id, section: "#absent" }],
    ["HEADING_NOT_FOUND", "insert_after_heading", { id, heading: "## Absent", markdown }],
    ["HEADING_NOT_FOUND", "replace_section", { id, heading: "Absent", markdown }],
    ["TEXT_NOT_FOUND", "replace_text", { id, oldText: "absent text", newText: "x" }],
    ["TEXT_NOT_FOUND", "replace_text", { id, oldText: "o", newText: "x" }],
    ["TEXT_NOT_FOUND", "replace_text", { id, edits: [{ oldText: "absent text", newText: "x" }] }],
    ["REVISION_CONFLICT", "append_to_document", { id, markdown, expectedRevision: revision + 7 }],
    ["REVISION_CONFLICT", "update_document", { id, title: "x", expectedRevision: revision + 7 }],
    ["REVISION_CONFLICT", "restore_revision", { id, revision: 1, expectedRevision: revision + 7 }],
    ["NO_CHANGES", "update_document", { id }],
    ["NO_CHANGES", "append_to_document", { id, markdown: " " }],
    ["NO_CHANGES", "replace_text", { id, oldText: "x", newText: "x" }],
    ["TITLE_TOO_LONG", "update_document", { id, title: "x".repeat(2_000) }],
    ["INVALID_MARKDOWN", "append_to_document", { id, markdown: `${"> ".repeat(1_000)}deep` }],
    ["INLINE_IMAGE_REJECTED", "append_to_document", { id, markdown: "![a](data:image/png;base64,AAAA)" }],
    ["TOO_LARGE", "append_to_document", { id, markdown: "A line of text.\n".repeat(131_072) }],
    ["TOO_LARGE", "upload_image", { name: "a.png", contentType: "image/png", dataBase64: "A".repeat(7_200_000) }],
    ["INVALID_PARAMETERS", "get_document", {}],
    ["INVALID_PARAMETERS", "get_document", { id: "guide" }],
    ["INVALID_PARAMETERS", "get_document", { ids: [] }],
    ["INVALID_PARAMETERS", "search", {}],
    ["INVALID_PARAMETERS", "search", { query: "x", limit: 1_000 }],
    ["INVALID_PARAMETERS", "search", { query: "x", colection: "Open" }],
    ["INVALID_PARAMETERS", "list_documents", { tree: true, tag: "guide" }],
    ["INVALID_PARAMETERS", "list_documents", { cursor: "nonsense" }],
    ["INVALID_PARAMETERS", "list_documents", { updatedSince: "last week" }],
    ["INVALID_PARAMETERS", "changes", { since: "last week" }],
    ["INVALID_PARAMETERS", "create_document", { markdown }],
    ["INVALID_PARAMETERS", "update_document", { id, tags: ["a"], addTags: ["b"] }],
    ["INVALID_PARAMETERS", "replace_text", { id, oldText: "x", newText: "y", edits: [{ oldText: "a", newText: "b" }] }],
  ];
  for (const [code, tool, input] of wrong) {
    const name = `${tool} ${JSON.stringify(input).slice(0, 100)}`;
    const answer = await editor.call(tool, input);
    expect([answer.code, answer.result.isError], name).toEqual([code, true]);
    const [, what = "", next = ""] = /^[A-Z_]+: (.+[.!?]) ([^.]+(?:\.[^ .]+)*[^.]*\.)$/s.exec(answer.text) ?? [];
    expect(what, name).not.toBe("");
    expect(next, `${name}: ${answer.text}`).toMatch(nextStep);
    expect(answer.text, name).not.toMatch(/If-Match|HTTP|PATCH|POST|undefined|\[object/);
    expect(answer.text.length, name).toBeLessThan(1_500);
  }
  expect(wrong.length).toBe(45);
  expect((await editor.call("get_document", { id })).data).toMatchObject({ revision, title: "Guide" });
});
