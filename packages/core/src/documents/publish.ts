import { type Actor, holds } from "@kb/auth";
import { ServiceError } from "../errors.ts";

/** Whoever creates a document may publish it; the policy decides for documents that exist. */
export function requirePublish(actor: Actor): void {
  if (holds(actor, "document.publish") || holds(actor, "document.edit")) return;
  throw new ServiceError("forbidden", "You may not publish documents.");
}
