import * as operations from "@kb/core/operations";
import { z } from "zod";
import { collectionParameters, DocumentId, guards, OptionalText, paging } from "../fields.ts";
import { withCollectionId } from "../find-collection.ts";
import { type Tool, tool } from "../tool.ts";

const documentHistory = tool({
  name: "document_history",
  title: "Read the history of a document",
  description: "Lists the revisions of a document, latest first, with their authors and credentials; or returns one.",
  effect: "reads",
  operation: operations.documentHistory,
  input: z.strictObject({
    id: DocumentId,
    revision: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "A listed one: returns its Markdown and the diff to the next" }),
    cursor: OptionalText.meta({ description: "The last nextCursor: continues the list or a long Markdown" }),
  }),
  output: operations.documentHistory.output,
  request: (input) => input,
  reply: (result) => result,
});

const changes = tool({
  name: "changes",
  title: "List changes",
  description:
    "Lists the documents that changed since a moment, oldest change first: what happened and who wrote, also in the trash that you may restore.",
  effect: "reads",
  operation: operations.listChangesForAssistants,
  input: z.strictObject({
    since: z.string().meta({ description: "2026-01-31 (UTC) or 2026-01-31T12:00:00Z" }),
    ...collectionParameters,
    diff: z.boolean().optional().meta({ description: "Adds what changed in each text" }),
    ...paging(100),
  }),
  output: operations.listChangesForAssistants.output,
  request: (input, context) => withCollectionId(context, input),
  reply: (result) => result,
});

const restoreRevision = tool({
  name: "restore_revision",
  title: "Restore a revision",
  description:
    "Undoes what came after a revision: makes its title, emoji and body the current ones, as a new revision. Tags and place stay.",
  effect: "sets",
  operation: operations.restoreRevision,
  input: z.strictObject({
    id: DocumentId,
    revision: z.int().min(1).meta({ description: "A revision that document_history lists" }),
    expectedRevision: guards.expectedRevision,
  }),
  output: z.object({ id: z.string(), revision: z.int() }),
  request: (input) => input,
  reply: ({ id, revision }) => ({ id, revision }),
});

/** The tools for the earlier states of documents. */
export const historyTools: readonly Tool[] = [documentHistory, restoreRevision, changes];
