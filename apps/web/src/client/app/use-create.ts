import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useActions } from "../actions/use-actions.ts";
import { bootQuery } from "../api/queries.ts";
import { openDialog } from "./dialogs.ts";
import { useCurrentView } from "./use-current-view.ts";

/**
 * Returns a function that creates a document here: below the open one, in the open collection, or where the reader says.
 * Undefined for those who may write nowhere.
 */
export function useCreate(): ((title?: string) => void) | undefined {
  const view = useCurrentView();
  const { collectionId } = useParams({ strict: false });
  const { data } = useQuery(bootQuery);
  const { create } = useActions();
  const open = data.collections.filter(({ abilities }) => abilities.createDocument);
  if (open.length === 0) return undefined;
  return (title) => {
    const [only] = open;
    const here = open.find(({ id }) => id === collectionId) ?? (open.length === 1 ? only : undefined);
    if (view?.abilities.createChild && view.collection !== null) {
      void create({ collectionId: view.collection.id, parentId: view.document.id }, title);
    } else if (here !== undefined) {
      void create({ collectionId: here.id, parentId: null }, title);
    } else {
      openDialog({ name: "create", title });
    }
  };
}
