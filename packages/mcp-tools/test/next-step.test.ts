import { newId } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Assistant, type Desk, openDesk } from "./desk.ts";

let desk: Desk;
let editor: Assistant;
let viewer: Assistant;
let reading: Assistant;
let page: string;
let trashed: string;
beforeAll(async () => {
  desk = await openDesk();
  const { people, collections, key } = desk.world;
  editor = await desk.as(people.editor);
  viewer = await desk.as(people.viewer);
  reading = await desk.as(await key(people.editor, ["read"]));
  const make = async (title: string): Promise<string> => {
    const input = {
      collectionId: collections.open,
      title,
      markdown: "# First\n\nsame same\n\n## Second\n\ntext",
      publish: true,
    };
    return String((await editor.call("create_document", input)).data.id);
  };
  page = await make("Page");
  trashed = await make("Trashed");
  await editor.call("delete_document", { id: trashed });
  await editor.call("delete_document", { id: trashed, confirm: true });
});
afterAll(() => desk.close());

const unknown = newId();
const tooMuch = "x".repeat(1_000_001);

type WrongCall = readonly [kind: string, tool: string, input: () => object, next: RegExp, who?: () => Assistant];

/** Mistakes that assistants make, and what the answer has to say: the parameter and its values, or the next tool or step. */
const wrongCalls: readonly WrongCall[] = [
  ["no query", "search", () => ({}), /query: Required.*Correct the parameter/],
  ["an empty query", "search", () => ({ query: "  " }), /query: Must not be empty.*Correct/],
  [
    "a status that does not exist",
    "search",
    () => ({ query: "x", status: "open" }),
    /status: Must be one of draft, published, archived/,
  ],
  ["too many results", "search", () => ({ query: "x", limit: 500 }), /limit: Must be at most 50/],
  ["a number as text", "search", () => ({ query: "x", limit: "5" }), /limit: Must be a number/],
  [
    "a language in words",
    "search",
    () => ({ query: "x", lang: "German language" }),
    /lang: Must be a language tag such as en, de or pt-BR/,
  ],
  [
    "a made-up cursor",
    "search",
    () => ({ query: "x", cursor: "2" }),
    /cursor: .*Send the nextCursor of the last answer/,
  ],
  [
    "a collection by a name that does not exist",
    "search",
    () => ({ query: "x", collection: "Nowhere" }),
    /You may read "Open", "Readable".*Call again with one of these names/,
  ],
  [
    "a collection by id and by name",
    "search",
    () => ({ query: "x", collection: "Open", collectionId: unknown }),
    /Send collection or collectionId/,
  ],
  [
    "a name where an id belongs",
    "search",
    () => ({ query: "x", collectionId: "Open" }),
    /collectionId: Must be a UUID or a URL.*Give its name as collection/,
  ],
  ["a subtree by its title", "search", () => ({ query: "x", under: "Page" }), /under: Must be a UUID or a URL/],
  [
    "a parameter of another API",
    "search",
    () => ({ query: "x", page: 2 }),
    /page: Unknown field\. Call again with only query, collection, .*, cursor\.$/,
  ],
  [
    "trash in the search",
    "search",
    () => ({ query: "x", status: "trashed" }),
    /status: Must be one of draft, published, archived/,
  ],
  ["a vague date", "list_documents", () => ({ updatedSince: "last week" }), /updatedSince: Must be a date, such as/],
  [
    "a tree with a filter that it ignores",
    "list_documents",
    () => ({ tree: true, tag: "a" }),
    /tag: Cannot be combined with tree/,
  ],
  ["backlinks of a title", "list_documents", () => ({ linksTo: "Page" }), /linksTo: Must be a UUID or a URL/],
  ["several tags in one", "list_documents", () => ({ tag: "a,b" }), /tag: Must not contain a comma/],
  ["changes without a moment", "changes", () => ({}), /since: Required/],
  ["changes since a word", "changes", () => ({ since: "yesterday" }), /since: Must be a date, such as/],
  [
    "a document that does not exist",
    "get_document",
    () => ({ id: unknown }),
    /Find the id with search, list_documents or list_collections/,
  ],
  [
    "a title as an id",
    "get_document",
    () => ({ id: "Page" }),
    /id: Must be a UUID or a URL.*Find the id by the title with search/,
  ],
  ["neither id nor ids", "get_document", () => ({}), /id: Send either id or ids/],
  ["too many ids", "get_document", () => ({ ids: Array(11).fill(page) }), /ids: At most 10/],
  [
    "a section that does not exist",
    "get_document",
    () => ({ id: page, section: "Third" }),
    /The headings are "First", "Second".*Call again with one of these headings/,
  ],
  ["a page number as an offset", "get_document", () => ({ id: page, offset: -1 }), /offset: Must be at least 0/],
  [
    "a document in the trash",
    "get_document",
    () => ({ id: trashed }),
    /list_documents with status trashed shows what was deleted/,
  ],
  [
    "no collection to create in",
    "create_document",
    () => ({ markdown: "x" }),
    /collection: Is missing: list_collections/,
  ],
  ["no text", "create_document", () => ({ collection: "Open", title: "x" }), /markdown: Required/],
  [
    "a title of a thousand letters",
    "create_document",
    () => ({ collection: "Open", title: "x".repeat(1_000), markdown: "x" }),
    /At most \d+ characters.*Choose a shorter title/,
  ],
  [
    "an image inside the text",
    "create_document",
    () => ({ collection: "Open", markdown: "![a](data:image/png;base64,iVBORw0KGgo=)" }),
    /upload_image/,
  ],
  [
    "a parent that does not exist",
    "create_document",
    () => ({ collection: "Open", markdown: "x", parentDocumentId: unknown }),
    /parentDocumentId|search, list_documents/,
  ],
  [
    "a text that is too long",
    "create_document",
    () => ({ collection: "Open", markdown: tooMuch.repeat(2) }),
    /Send less|split|At most/,
  ],
  [
    "writing with a key that reads",
    "create_document",
    () => ({ collection: "Open", markdown: "x" }),
    /API key with the scopes `read` and `write`/,
    () => reading,
  ],
  [
    "a collection without the right to write",
    "create_document",
    () => ({ collection: "Readable", markdown: "x" }),
    /canWrite/,
    () => viewer,
  ],
  ["no change at all", "update_document", () => ({ id: page }), /Send the changes to make, or do not call the tool/],
  ["tags as text", "update_document", () => ({ id: page, tags: "a, b" }), /tags: Must be a list/],
  [
    "status instead of published",
    "update_document",
    () => ({ id: page, status: "published" }),
    /status: Unknown field\. Call again with only id, title, markdown, published, /,
  ],
  [
    "a revision that is not the current one",
    "update_document",
    () => ({ id: page, title: "y", expectedRevision: 99 }),
    /Read the document again with get_document/,
  ],
  ["a document below itself", "update_document", () => ({ id: page, parentDocumentId: page }), /itself|below|parent/i],
  ["nothing to append", "append_to_document", () => ({ id: page, markdown: " " }), /Send the changes to make/],
  ["somebody else's document", "append_to_document", () => ({ id: page, markdown: "x" }), /canWrite/, () => viewer],
  [
    "a heading that does not exist",
    "insert_after_heading",
    () => ({ id: page, heading: "Third", markdown: "x" }),
    /The headings are "First", "Second".*Call again/,
  ],
  [
    "an anchor that does not exist",
    "replace_section",
    () => ({ id: page, heading: "#third", markdown: "x" }),
    /The headings are "First", "Second"/,
  ],
  [
    "a text that is not there",
    "replace_text",
    () => ({ id: page, oldText: "absent words", newText: "x" }),
    /Give oldText exactly as get_document shows it/,
  ],
  [
    "a text that is there twice",
    "replace_text",
    () => ({ id: page, oldText: "same", newText: "x" }),
    /Give a longer oldText that occurs only once/,
  ],
  ["a replacement without its new text", "replace_text", () => ({ id: page, oldText: "text" }), /newText: /],
  [
    "one replacement and several",
    "replace_text",
    () => ({ id: page, oldText: "a", newText: "b", edits: [{ oldText: "a", newText: "b" }] }),
    /edits|oldText/,
  ],
  [
    "a replacement by the same text",
    "replace_text",
    () => ({ id: page, oldText: "text", newText: "text" }),
    /Send the changes to make/,
  ],
  [
    "a revision that was never there",
    "document_history",
    () => ({ id: page, revision: 99 }),
    /Find the revision with document_history/,
  ],
  [
    "a revision to restore that was never there",
    "restore_revision",
    () => ({ id: page, revision: 99 }),
    /Find the revision with document_history/,
  ],
  ["deleting with a word", "delete_document", () => ({ id: page, confirm: "yes" }), /confirm: Must be true or false/],
  ["restoring what is not in the trash", "restore_document", () => ({ id: page }), /nothing to restore/i],
  ["restoring what does not exist", "restore_document", () => ({ id: unknown }), /search, list_documents/],
  [
    "an image of another type",
    "upload_image",
    () => ({ name: "a.pdf", contentType: "application/pdf" }),
    /contentType: Must be an image type, such as image\/png/,
  ],
  [
    "an image that is no base64",
    "upload_image",
    () => ({ name: "a.png", contentType: "image/png", dataBase64: "@@" }),
    /dataBase64: .*base64/i,
  ],
  [
    "an image from two places",
    "upload_image",
    () => ({ name: "a.png", contentType: "image/png", dataBase64: "aGk=", url: "https://example.org/a.png" }),
    /Give dataBase64 or url, not both/,
  ],
  ["a file without a name", "upload_file", () => ({ contentType: "text/plain" }), /name: Required/],
];

describe("the answer to a wrong call", () => {
  it("says what to do next, for more than 40 kinds of mistakes", {
    meta: { proves: ["decision.tools.errors"] },
  }, async () => {
    expect(wrongCalls.length).toBeGreaterThanOrEqual(40);
    const silent: string[] = [];
    for (const [kind, tool, input, next, who = () => editor] of wrongCalls) {
      const { code, text }: Answer = await who().call(tool, input());
      if (code === null || !next.test(text)) silent.push(`${kind}: ${code} ${text}`);
    }
    expect(silent).toEqual([]);
  });

  it("is a code for programs, a sentence, and nothing of the inside of the service", async () => {
    for (const [kind, tool, input, , who = () => editor] of wrongCalls) {
      const { text } = await who().call(tool, input());
      expect(text, kind).toMatch(/^[A-Z_]+: .+\.$/s);
      expect(text.length, kind).toBeLessThan(1_000);
      expect(text, kind).not.toMatch(/\bat .*\.ts|PATCH|POST|If-Match|\bzod\b|undefined|\[object/);
    }
  });
});
