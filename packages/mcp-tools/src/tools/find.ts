import * as operations from "@kb/core/operations";
import { z } from "zod";
import { OptionalCollectionId, OptionalDocumentId, OptionalText, status } from "../fields.ts";
import { type Tool, tool } from "../tool.ts";

const search = tool({
  name: "search",
  title: "Search documents",
  description:
    'Finds documents by title, tags, headings and text. All words must be there, as beginnings of words; "…" is a phrase, -word excludes. Archived documents are found with status archived only.',
  effect: "reads",
  operation: operations.searchForAssistants,
  input: z.strictObject({
    query: z.string(),
    collectionId: OptionalCollectionId,
    tag: OptionalText,
    status,
    limit: z.int().min(1).max(50).optional(),
    cursor: OptionalText,
  }),
  output: operations.searchForAssistants.output,
  request: (input) => input,
  reply: (result) => result,
});

const listCollections = tool({
  name: "list_collections",
  title: "List collections",
  description: "The collections that you may read. canWrite says whether you may create documents there.",
  effect: "reads",
  operation: operations.listCollectionsForAssistants,
  input: z.strictObject({ limit: z.int().min(1).max(100).optional(), cursor: OptionalText }),
  output: operations.listCollectionsForAssistants.output,
  request: (input) => input,
  reply: (result) => result,
});

const listDocuments = tool({
  name: "list_documents",
  title: "List documents",
  description:
    "Documents without their bodies, newest change first; with updatedSince (ISO 8601) oldest change first. parentDocumentId lists what stands directly below a document.",
  effect: "reads",
  operation: operations.listDocumentsForAssistants,
  input: z.strictObject({
    collectionId: OptionalCollectionId,
    parentDocumentId: OptionalDocumentId,
    tag: OptionalText,
    status,
    updatedSince: OptionalText,
    limit: z.int().min(1).max(100).optional(),
    cursor: OptionalText,
  }),
  output: operations.listDocumentsForAssistants.output,
  request: (input) => input,
  reply: (result) => result,
});

/** Where an assistant begins: none of them gives a body. */
export const findTools: readonly Tool[] = [search, listCollections, listDocuments];
