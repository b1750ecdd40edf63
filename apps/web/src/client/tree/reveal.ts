import type { QueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { TreeLevel, View } from "../api/contract.ts";
import { keepTree, levelKey } from "./level-queries.ts";
import { openRows } from "./open-rows.ts";

/** Opens the tree at a document. Loads the missing part of its path with one request. */
export async function revealDocument(queries: QueryClient, view: View): Promise<void> {
  const { document, collection, path } = view;
  if (collection === null || document.archivedAt !== null || document.deletedAt !== null) return;
  await loadPath(queries, view);
  openRows.open([collection.id, ...path.map(({ id }) => id)]);
}

/** Loads the rows down to a document with one request, if one of them is missing. */
export async function loadPath(queries: QueryClient, { document, collection, path }: View): Promise<void> {
  if (collection === null || document.archivedAt !== null || document.deletedAt !== null) return;
  const parents = [null, ...path.map(({ id }) => id)];
  const below = [...path.map(({ id }) => id), document.id];
  const isLoaded = parents.every((parentId, place) => {
    const level = queries.getQueryData<TreeLevel>(levelKey({ collectionId: collection.id, parentId }));
    return level?.data.some(({ id }) => id === below[place]) === true;
  });
  if (!isLoaded) keepTree(queries, await call("documents.tree", { to: document.id }));
}
