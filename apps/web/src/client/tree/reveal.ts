import type { QueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { TreeLevel, View } from "../api/contract.ts";
import { keepTree, levelKey } from "./level-queries.ts";
import { openRows } from "./open-rows.ts";

/** Opens the tree at a document. Loads the missing part of its path with one request. */
export async function revealDocument(queries: QueryClient, { document, collection, path }: View): Promise<void> {
  if (collection === null || document.archivedAt !== null || document.deletedAt !== null) return;
  const parents = [null, ...path.map(({ id }) => id)];
  const below = [...path.map(({ id }) => id), document.id];
  const isLoaded = parents.every((parentId, place) => {
    const level = queries.getQueryData<TreeLevel>(levelKey({ collectionId: collection.id, parentId }));
    return level?.data.some(({ id }) => id === below[place]) === true;
  });
  if (!isLoaded) keepTree(queries, await call("documents.tree", { to: document.id }));
  openRows.open([collection.id, ...path.map(({ id }) => id)]);
}
