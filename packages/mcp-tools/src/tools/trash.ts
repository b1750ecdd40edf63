import * as operations from "@kb/core/operations";
import { z } from "zod";
import { DocumentId } from "../fields.ts";
import { type Tool, tool } from "../tool.ts";

const deleteDocument = tool({
  name: "delete_document",
  title: "Move a document to the trash",
  description:
    "Works in two steps. The first call changes nothing and shows what would go, with the documents below. Tell the user, then call again with confirm. It can be restored.",
  effect: "sets",
  operation: operations.deleteDocumentForAssistants,
  input: z.strictObject({
    id: DocumentId,
    confirm: z.boolean().optional().meta({ description: "true, within 10 minutes of the first call" }),
  }),
  output: z.object({
    status: z.enum(["confirm_required", "deleted"]),
    id: z.string(),
    deletedAt: z.string().optional(),
    preview: z
      .object({
        title: z.string(),
        collectionName: z.string().nullable(),
        bodyLength: z.int(),
        children: z.int(),
      })
      .optional(),
  }),
  request: (input) => input,
  reply: (result) => result,
});

const restoreDocument = tool({
  name: "restore_document",
  title: "Restore a document",
  description: "Restores a document from the trash, with the documents that were deleted together with it.",
  effect: "restores",
  operation: operations.restoreDocument,
  input: z.strictObject({ id: DocumentId }),
  output: z.object({ id: z.string(), status: z.literal("restored") }),
  request: (input) => input,
  reply: (result) => result,
});

/** The tools for the trash. Assistants cannot delete anything permanently. */
export const trashTools: readonly Tool[] = [deleteDocument, restoreDocument];
