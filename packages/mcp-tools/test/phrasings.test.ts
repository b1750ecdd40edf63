import { expect, it } from "vitest";
import { z } from "zod";
import { tools } from "../src/table.ts";

/** What users want, the parameter that does it, and the words of its own description from which a model can tell. */
const phrasings: readonly (readonly [wish: string, tool: string, parameter: string, words: RegExp])[] = [
  ["find pages with exactly these words in a row", "search", "query", /phrase/],
  ["leave out pages that mention beta", "search", "query", /-word excludes/],
  ["search by the beginning of a word", "search", "query", /beginnings/],
  ["search only the handbook", "search", "collection", /Name/],
  ["search the collection whose address I have", "search", "collection", /URL/],
  ["search below the page Plans", "search", "under", /below/],
  ["search pages tagged ops", "search", "tag", /tags/],
  ["include drafts in the search", "search", "status", /drafts/],
  ["show German results first", "search", "lang", /[Ll]anguage.*first/],
  ["only tell me the titles", "search", "snippets", /only titles/],
  ["show more results at once", "search", "limit", /Rows/],
  ["go on with the results", "search", "cursor", /nextCursor/],
  ["which pages are directly below this one", "list_documents", "parentDocumentId", /directly below/],
  ["list everything below this page", "list_documents", "under", /any depth/],
  ["what is in the trash", "list_documents", "status", /trashed/],
  ["which pages link here", "list_documents", "linksTo", /links to/],
  ["what changed since the 31st", "list_documents", "updatedSince", /2026-01-31/],
  ["show me the whole tree", "list_documents", "tree", /outline/],
  ["open the page with this address", "get_document", "id", /URL/],
  ["read these four pages", "get_document", "ids", /up to 10/],
  ["read only the chapter Install", "get_document", "section", /heading/],
  ["read the part that #install points at", "get_document", "section", /#anchor/],
  ["what headings has the page", "get_document", "outline", /headings/],
  ["read on", "get_document", "offset", /nextOffset/],
  ["read at most 2,000 characters", "get_document", "maxChars", /Characters/],
  ["create it below Plans", "create_document", "parentDocumentId", /above/],
  ["create it for everybody to read", "create_document", "publish", /draft/],
  ["create it in the handbook", "create_document", "collection", /Name/],
  ["rename it", "update_document", "title", /title/],
  ["rewrite the page", "update_document", "markdown", /whole body/],
  ["take it back to a draft", "update_document", "published", /draft/],
  ["tag it with ops too", "update_document", "addTags", /keeps the others/],
  ["take the tag ops away", "update_document", "removeTags", /Removes/],
  ["give it only these tags", "update_document", "tags", /Replaces all/],
  ["move it to the top of its collection", "update_document", "parentDocumentId", /null.*top/],
  ["change it only if nobody else did", "update_document", "expectedRevision", /Fails/],
  ["show me what would change first", "replace_section", "dryRun", /Only shows the diff/],
  ["add a line to the log below ## Ops log", "insert_after_heading", "heading", /## text/],
  ["add an entry to the list at the end", "append_to_document", "markdown", /join a list/],
  ["correct ten words at once, or none of them", "replace_text", "edits", /all or none/],
  ["fix the target of this link", "replace_text", "oldText", /As get_document shows it/],
  ["what did revision 7 say", "document_history", "revision", /Markdown/],
  ["what changed after revision 7", "document_history", "revision", /diff/],
  ["go back to revision 7", "restore_revision", "revision", /document_history lists/],
  ["show me what was changed in the texts", "changes", "diff", /what changed/],
  ["yes, delete it", "delete_document", "confirm", /first call/],
  ["put the picture from this address in", "upload_image", "url", /https/],
  ["attach the file to this page", "upload_file", "documentId", /document/],
];

const Schema = z.object({ properties: z.record(z.string(), z.looseObject({ description: z.string() })) });
const parametersOf = (name: string): z.output<typeof Schema>["properties"] => {
  const input = tools.find((tool) => tool.name === name)?.input;
  return input === undefined ? {} : Schema.parse(z.toJSONSchema(input, { io: "input" })).properties;
};

it("every parameter of every tool has a description of its own", {
  meta: { proves: ["decision.tools.listed"] },
}, () => {
  for (const { name } of tools) {
    for (const [parameter, { description }] of Object.entries(parametersOf(name))) {
      expect(description.trim(), `${name}.${parameter}`).not.toBe("");
    }
  }
});

it.each(phrasings)("“%s” is %s with %s, by the words of its description", (_, tool, parameter, words) => {
  expect(parametersOf(tool)[parameter]?.description).toMatch(words);
});

it("more than 40 phrasings are tried", () => expect(phrasings.length).toBeGreaterThan(40));
