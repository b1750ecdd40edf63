import * as operations from "@kb/core/operations";
import { z } from "zod";
import { DocumentId, OptionalText } from "../fields.ts";
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
      .meta({ description: "A listed revision: returns its Markdown and the diff from it to the next revision" }),
    cursor: OptionalText.meta({ description: "nextCursor of the last answer: continues the list or a long Markdown" }),
  }),
  output: operations.documentHistory.output,
  request: (input) => input,
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
    expectedRevision: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "The revision that you read; if the document has another one by now, nothing is changed" }),
  }),
  output: z.object({ id: z.string(), revision: z.int() }),
  request: (input) => input,
  reply: ({ id, revision }) => ({ id, revision }),
});

/** The tools for the earlier states of a document. */
export const historyTools: readonly Tool[] = [documentHistory, restoreRevision];
