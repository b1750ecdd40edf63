import * as operations from "@kb/core/operations";
import { z } from "zod";
import {
  CollectionId,
  DocumentId,
  guards,
  OptionalCollectionId,
  OptionalDocumentId,
  OptionalTags,
  OptionalText,
} from "../fields.ts";
import { noChanges } from "../no-changes.ts";
import { type Tool, tool } from "../tool.ts";

const getDocument = tool({
  name: "get_document",
  title: "Read a document",
  description:
    "Returns the body as Markdown, and canWrite: whether you may change it. section (a heading's text, `## text` or `#anchor`) returns only that section, with its own headings; outline returns the headings and no text. A long body is returned in slices: continue with offset = nextOffset.",
  effect: "reads",
  operation: operations.readDocumentForAssistants,
  input: z.strictObject({
    id: DocumentId,
    section: OptionalText,
    outline: z.boolean().optional(),
    offset: z.int().min(0).optional(),
    maxChars: z.int().min(1).max(200_000).optional(),
  }),
  output: operations.readDocumentForAssistants.output,
  request: (input) => input,
  reply: (result) => result,
});

const createDocument = tool({
  name: "create_document",
  title: "Create a document",
  description:
    "Creates a document from Markdown, as a draft unless publish is true. The title is not part of the Markdown.",
  effect: "adds",
  operation: operations.createDocument,
  input: z.strictObject({
    collectionId: CollectionId,
    title: z.string().optional(),
    markdown: z.string(),
    parentDocumentId: OptionalDocumentId,
    publish: z.boolean().optional(),
    tags: OptionalTags,
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    url: z.string(),
    revision: z.int(),
    status: z.enum(["draft", "published"]),
  }),
  request: ({ markdown, ...input }) => ({ ...input, text: markdown }),
  reply: ({ id, title, url, revision, publishedAt }) => ({
    id,
    title,
    url,
    revision,
    status: publishedAt === null ? ("draft" as const) : ("published" as const),
  }),
});

const updateDocument = tool({
  name: "update_document",
  title: "Update a document",
  description:
    "Changes the given fields and leaves the others. markdown replaces the whole body; to change a part, use a targeted edit. parentDocumentId null moves the document to the top of its collection. dryRun returns the diff and changes nothing.",
  effect: "sets",
  operation: operations.updateDocumentForAssistants,
  input: z.strictObject({
    id: DocumentId,
    title: z.string().optional(),
    markdown: z.string().optional(),
    published: z.boolean().optional(),
    tags: OptionalTags.meta({ description: "Replaces all tags" }),
    addTags: OptionalTags.meta({ description: "Adds to the tags and keeps the others" }),
    removeTags: OptionalTags,
    collectionId: OptionalCollectionId,
    parentDocumentId: OptionalDocumentId.unwrap().nullable().optional(),
    ...guards,
  }),
  output: operations.updateDocumentForAssistants.output,
  request: ({ id, expectedRevision, dryRun, ...changes }) => {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw noChanges("id", "The call contains no change.");
    }
    return { id, expectedRevision, dryRun, ...changes };
  },
  reply: (result) => result,
});

/** The tools for a document as a whole. */
export const documentTools: readonly Tool[] = [getDocument, createDocument, updateDocument];
