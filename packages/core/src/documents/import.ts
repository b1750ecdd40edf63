import { invalid } from "../errors.ts";
import { operation } from "../operation.ts";
import { Document } from "../schema/document.ts";
import { Id, Instant } from "../schema/text.ts";
import { insertNewDocument, newDocument, prepareCreation } from "./create.ts";

/**
 * Creates a document under an id that the caller has chosen, so that documents which link to each other are written once
 * each, and with the time of its creation elsewhere. No edge but `kb import` offers it.
 */
export const importDocument = operation({
  name: "documents.import",
  summary: "Create a document of an import",
  scope: "write",
  capability: "document.create",
  input: newDocument.extend({ id: Id, createdAt: Instant.optional() }),
  output: Document,
  prepare: prepareCreation,
  async run(context, { id, ...request }, body) {
    const { createdAt } = request;
    if (createdAt !== undefined && createdAt > context.now) throw invalid("createdAt", "Must not be in the future");
    return insertNewDocument(context, id, request, body);
  },
});
