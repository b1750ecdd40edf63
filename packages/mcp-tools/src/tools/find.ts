import * as operations from "@kb/core/operations";
import { z } from "zod";
import { collectionParameters, OptionalDocumentId, OptionalText, paging, status } from "../fields.ts";
import { withCollectionId } from "../find-collection.ts";
import { type Tool, tool } from "../tool.ts";

const under = OptionalDocumentId.meta({ description: "Only below this document, at any depth" });

const search = tool({
  name: "search",
  title: "Search documents",
  description:
    "Finds documents by title, tags, headings and text. Returns the total and the best matches, in plain text.",
  effect: "reads",
  operation: operations.searchForAssistants,
  input: z.strictObject({
    query: z.string().meta({ description: 'Words or their beginnings, all of them; "…" is a phrase, -word excludes' }),
    ...collectionParameters,
    under,
    tag: OptionalText.meta({ description: "One of their tags" }),
    status,
    lang: OptionalText.meta({ description: "Language to list first, such as de or pt-BR" }),
    snippets: z.boolean().optional().meta({ description: "false: only titles and places" }),
    ...paging(50),
  }),
  output: operations.searchForAssistants.output,
  request: (input, context) => withCollectionId(context, input),
  reply: (result) => result,
});

const listCollections = tool({
  name: "list_collections",
  title: "List collections",
  description: "Lists the collections that you may read. canWrite tells whether you may create documents there.",
  effect: "reads",
  operation: operations.listCollectionsForAssistants,
  input: z.strictObject(paging(100)),
  output: operations.listCollectionsForAssistants.output,
  request: (input) => input,
  reply: (result) => result,
});

const listedStatus = z.enum([...status.unwrap().options, "trashed"]).optional();

const listDocuments = tool({
  name: "list_documents",
  title: "List documents",
  description:
    "Lists documents without their bodies, latest change first; with updatedSince, oldest change first. Every filter must match.",
  effect: "reads",
  operation: operations.listDocumentsForAssistants,
  input: z.strictObject({
    ...collectionParameters,
    under,
    parentDocumentId: OptionalDocumentId.meta({ description: "Only directly below this one" }),
    tag: OptionalText.meta({ description: "One of their tags" }),
    status: listedStatus.meta({ description: "trashed: those that you may restore. Without it: drafts and published" }),
    linksTo: OptionalDocumentId.meta({ description: "Only what links to this one" }),
    updatedSince: OptionalText.meta({ description: "2026-01-31 (UTC) or 2026-01-31T12:00:00Z" }),
    tree: z
      .boolean()
      .optional()
      .meta({ description: "Returns an indented outline of titles and ids instead, up to 5000 at once" }),
    ...paging(100),
  }),
  output: operations.listDocumentsForAssistants.output,
  request: (input, context) => withCollectionId(context, input),
  reply: (result) => result,
});

/** The tools that find documents. None of them returns a body. */
export const findTools: readonly Tool[] = [search, listCollections, listDocuments];
