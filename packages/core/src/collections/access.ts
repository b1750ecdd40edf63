import { type Actor, type CollectionAction, type CollectionFacts, decideCollection } from "@kb/auth";
import { notFound, ServiceError } from "../errors.ts";

const verbs: Readonly<Record<CollectionAction, string>> = {
  read: "read",
  createDocument: "write in",
  publishHere: "publish in",
  edit: "change",
  manage: "manage",
};

/** @throws {ServiceError} `not_found` when the collection is hidden, `forbidden` when it may only be seen. */
export function requireDecision(actor: Actor, action: CollectionAction, collection: CollectionFacts): void {
  switch (decideCollection(actor, action, collection)) {
    case "hidden":
      throw notFound("Collection");
    case "forbidden":
      throw new ServiceError("forbidden", `You may not ${verbs[action]} this collection.`);
    case "allow":
      return;
  }
}
