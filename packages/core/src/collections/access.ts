import { type Actor, type CollectionAction, type CollectionFacts, decideCollection } from "@kb/auth";
import { notFound, ServiceError } from "../errors.ts";

const verbs: Readonly<Record<CollectionAction, string>> = {
  read: "read",
  createDocument: "write in",
  publishHere: "publish in",
  edit: "change",
  manage: "manage",
};

/**
 * Requires that the policy allows an action on a collection.
 * @throws {ServiceError} `not_found` when the collection is hidden, `forbidden` when the caller may only see it.
 */
export function requireCollectionAccess(actor: Actor, action: CollectionAction, collection: CollectionFacts): void {
  switch (decideCollection(actor, action, collection)) {
    case "hidden":
      throw notFound("Collection");
    case "forbidden":
      throw new ServiceError("forbidden", `You may not ${verbs[action]} this collection.`);
    case "allow":
      return;
  }
}
