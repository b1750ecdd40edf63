import { type Actor, type CollectionAction, type CollectionFacts, carries, decideCollection } from "@kb/auth";
import { z } from "zod";

/** The actions on a collection that the caller may take now. */
export const CollectionAbilities = z
  .object({
    /** Create documents in it, and move documents here. */
    createDocument: z.boolean(),
    /** Publish a new document of their own. */
    publish: z.boolean(),
    /** Change its name, icon, color and description, archive and unarchive it. */
    edit: z.boolean(),
    /** Grant and withdraw access, and delete it. */
    manage: z.boolean(),
  })
  .meta({ id: "CollectionAbilities" });

/** Returns the caller's abilities in a collection. In an archived one, nothing is created. */
export function collectionAbilities(
  actor: Actor,
  collection: CollectionFacts & { readonly archivedAt: Date | null },
): z.input<typeof CollectionAbilities> {
  const may = (action: CollectionAction): boolean =>
    carries(actor, "write") && decideCollection(actor, action, collection) === "allow";
  const isActive = collection.archivedAt === null;
  return {
    createDocument: isActive && may("createDocument"),
    publish: isActive && may("publishHere"),
    edit: may("edit"),
    manage: may("manage"),
  };
}
