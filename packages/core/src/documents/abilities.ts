import { type Actor, carries, type DocumentAction, type DocumentFacts, decideDocument, holds } from "@kb/auth";
import { z } from "zod";

/** The actions on a row of the tree that the caller may take. */
export const RowAbilities = z
  .object({
    /** Change it, and move it, as far as its destination allows. */
    edit: z.boolean(),
    /** Publish and unpublish it. */
    publish: z.boolean(),
    /** Archive it and move it to the trash. */
    delete: z.boolean(),
  })
  .meta({ id: "DocumentRowAbilities" });

/** The actions on an open document that the caller may take now: in its state, not only by their rights. */
export const DocumentAbilities = RowAbilities.extend({
  archive: z.boolean(),
  unarchive: z.boolean(),
  /** Take it out of the trash. */
  restore: z.boolean(),
  /** Delete it permanently from the trash. */
  destroy: z.boolean(),
  /** Create documents below it. */
  createChild: z.boolean(),
}).meta({ id: "DocumentAbilities" });

/** Tells whether the caller may take an action; also checks the scope of the credential. */
const may = (actor: Actor, action: DocumentAction, document: DocumentFacts): boolean =>
  carries(actor, "write") && decideDocument(actor, action, document) === "allow";

/** Returns the abilities of the caller on a document outside the trash. */
export function rowAbilities(actor: Actor, document: DocumentFacts): z.input<typeof RowAbilities> {
  return {
    edit: may(actor, "edit", document),
    publish: may(actor, "publish", document),
    delete: may(actor, "delete", document),
  };
}

/** Returns the abilities of the caller on a document in any state. `canCreate`: in its collection. */
export function documentAbilities(
  actor: Actor,
  document: DocumentFacts & { readonly archivedAt: Date | null },
  canCreate: boolean,
): z.input<typeof DocumentAbilities> {
  const row = rowAbilities(actor, document);
  const isArchived = document.archivedAt !== null;
  const restore = may(actor, "restore", document);
  return {
    ...row,
    archive: row.delete && !isArchived,
    unarchive: row.delete && isArchived,
    restore,
    destroy: restore && holds(actor, "document.destroy"),
    createChild: canCreate && document.deletedAt === null && !isArchived,
  };
}
