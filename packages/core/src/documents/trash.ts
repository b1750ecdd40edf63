import { type Actor, decideDocument } from "@kb/auth";
import { notFound, ServiceError } from "../errors.ts";
import { type DocumentWithFacts, factsOf } from "./row.ts";

/**
 * Requires that a document is in the trash and that the caller may see it there.
 * @throws {ServiceError} `not_in_trash` for callers who may read it where it is, otherwise `not_found`.
 */
export function requireInTrash(actor: Actor, document: DocumentWithFacts | null): DocumentWithFacts {
  if (document === null) throw notFound("Document");
  if (decideDocument(actor, "restore", factsOf(document)) === "allow") return document;
  if (decideDocument(actor, "read", factsOf(document)) === "allow") {
    throw new ServiceError("not_in_trash", "The document is not in the trash.");
  }
  throw notFound("Document");
}
