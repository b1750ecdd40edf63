import type { OutputOf } from "../api/contract.ts";
import type { ListedRow } from "../api/listed-documents.ts";

/**
 * Returns whether the archive offers to bring a document back. A list has no abilities of its rows: the collection's and the
 * user's capabilities stand for them, and the service decides.
 */
export function mayUnarchive(
  { collectionId, createdById }: Pick<ListedRow, "collectionId" | "createdById">,
  { user, collections }: OutputOf<"app.boot">,
): boolean {
  const holds = (capability: string): boolean =>
    user.capabilities.includes("*") || user.capabilities.includes(capability);
  const mayDelete = holds("document.edit") && (holds("document.delete") || createdById === user.id);
  const collection = collections.find(({ id }) => id === collectionId);
  return mayDelete && collection?.abilities.createDocument === true;
}
