import { type ErrorDetail, invalid, ServiceError } from "@kb/core";
import * as operations from "@kb/core/operations";
import { z } from "zod";
import { collectionParameters, DocumentId, guards, OptionalDocumentId, OptionalTags, OptionalText } from "../fields.ts";
import { withCollectionId } from "../find-collection.ts";
import { noChanges } from "../no-changes.ts";
import { type Tool, tool } from "../tool.ts";
import { errorText } from "../tool-error.ts";

const { documents: _, ...readFields } = operations.readDocumentForAssistants.output.shape;

const getDocument = tool({
  name: "get_document",
  title: "Read a document",
  description: "Returns the body as Markdown, and canWrite: whether you may change it.",
  effect: "reads",
  operation: operations.readDocumentForAssistants,
  input: z.strictObject({
    id: OptionalDocumentId.meta({ description: "UUID or URL" }),
    ids: z.array(DocumentId).optional().meta({ description: "Instead of id: up to 10, answered in documents" }),
    section: OptionalText.meta({
      description: "A heading's text, `## text` or `#anchor`: only its section and headings",
    }),
    outline: z.boolean().optional().meta({ description: "Returns the headings and no text" }),
    offset: z.int().min(0).optional().meta({ description: "The last nextOffset of a long text" }),
    maxChars: z
      .int()
      .min(1)
      .max(200_000)
      .optional()
      .meta({ description: "Characters in one answer, by default 60000" }),
  }),
  // An entry has the fields of a single document, or its id and an error; naming them twice would only cost tokens.
  output: z.object({ ...readFields, documents: z.array(z.looseObject({ id: z.string() })).optional() }),
  request: (input) => input,
  reply: ({ documents, ...one }) => ({
    ...one,
    ...(documents && { documents: documents.map((entry) => ("error" in entry ? unread(entry) : entry)) }),
  }),
});

type Unread = {
  readonly id: string;
  readonly error: { code: "not_found" | "heading_not_found"; message: string; details?: ErrorDetail[] | undefined };
};

/** Returns the same words as for a call with this id alone. */
function unread({ id, error: { code, message, details = [] } }: Unread): { id: string; error: string } {
  return { id, error: errorText(new ServiceError(code, message, { details })) };
}

const createDocument = tool({
  name: "create_document",
  title: "Create a document",
  description: "Creates a document from Markdown in a collection.",
  effect: "adds",
  operation: operations.createDocument,
  input: z.strictObject({
    ...collectionParameters,
    title: z.string().optional().meta({ description: "By default Untitled" }),
    markdown: z.string().meta({ description: "Without the title" }),
    parentDocumentId: OptionalDocumentId.meta({ description: "The document above it" }),
    publish: z.boolean().optional().meta({ description: "Without it: a draft" }),
    tags: OptionalTags.meta({ description: "Names" }),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    url: z.string(),
    revision: z.int(),
    status: z.enum(["draft", "published"]),
  }),
  request: async (input, context) => {
    const { markdown, collectionId, ...rest } = await withCollectionId(context, input);
    if (collectionId !== undefined) return { ...rest, collectionId, text: markdown };
    throw invalid("collection", "Is missing: list_collections shows those that you may write to");
  },
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
  description: "Changes the given fields and leaves the others. To change a part of the body, use a targeted edit.",
  effect: "sets",
  operation: operations.updateDocumentForAssistants,
  input: z.strictObject({
    id: DocumentId,
    title: z.string().optional().meta({ description: "New title" }),
    markdown: z.string().optional().meta({ description: "Replaces the whole body" }),
    published: z.boolean().optional().meta({ description: "false: a draft again" }),
    tags: OptionalTags.meta({ description: "Replaces all tags" }),
    addTags: OptionalTags.meta({ description: "Adds these, keeps the others" }),
    removeTags: OptionalTags.meta({ description: "Removes only these" }),
    ...collectionParameters,
    parentDocumentId: OptionalDocumentId.unwrap()
      .nullable()
      .optional()
      .meta({ description: "Moves it below this document; null: to the top of its collection" }),
    ...guards,
  }),
  output: operations.updateDocumentForAssistants.output,
  request: async (input, context) => {
    const { id, expectedRevision, dryRun, ...changes } = await withCollectionId(context, input);
    if (Object.values(changes).every((value) => value === undefined)) {
      throw noChanges("id", "The call contains no change.");
    }
    return { id, expectedRevision, dryRun, ...changes };
  },
  reply: (result) => result,
});

/** The tools for a document as a whole. */
export const documentTools: readonly Tool[] = [getDocument, createDocument, updateDocument];
