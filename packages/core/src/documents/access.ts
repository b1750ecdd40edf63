import { type Actor, type DocumentAction, decideDocument } from "@kb/auth";
import { notFound, ServiceError } from "../errors.ts";
import { type DocumentWithFacts, factsOf } from "./row.ts";

const verbs: Readonly<Record<DocumentAction, string>> = {
  read: "read",
  edit: "edit",
  publish: "publish or unpublish",
  delete: "delete or archive",
  readTrash: "see",
  restore: "restore",
};

/**
 * Requires that the policy allows an action on a document, and returns the document.
 * @throws {ServiceError} `not_found` when it is hidden, as if it did not exist; `forbidden` when the caller may only
 * see it.
 */
export function requireAccess<Row extends DocumentWithFacts>(
  actor: Actor,
  action: DocumentAction,
  document: Row | null,
): Row {
  if (document === null) throw notFound("Document");
  switch (decideDocument(actor, action, factsOf(document))) {
    case "hidden":
      throw notFound("Document");
    case "forbidden":
      throw new ServiceError("forbidden", `You may not ${verbs[action]} this document.`);
    case "allow":
      return document;
  }
}
