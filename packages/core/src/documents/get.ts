import { z } from "zod";
import { findSettled } from "../live/find-settled.ts";
import { query } from "../operation.ts";
import { Document } from "../schema/document.ts";
import { Id } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { presentDocument } from "./row.ts";

/** Reads a document. Finds one in the trash only with `deleted`, and only for callers who could restore it. */
export const getDocument = query({
  name: "documents.get",
  summary: "Get a document",
  description:
    "`format=markdown` adds `markdownText`, `include=content` adds the editor JSON. A document in the trash is only found with `deleted=true`, by users who may restore it.",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({
    id: Id,
    format: z.literal("markdown").optional(),
    include: z.literal("content").optional(),
    deleted: z.boolean().optional(),
  }),
  output: Document,
  async run(context, { id, format, include, deleted }) {
    const { actor, appUrl } = context;
    const parts = { markdown: format === "markdown", content: include === "content" };
    const document = await findSettled(context, actor, id, parts);
    const action = deleted === true && document?.deletedAt != null ? "readTrash" : "read";
    return presentDocument(requireAccess(actor, action, document), appUrl);
  },
});
