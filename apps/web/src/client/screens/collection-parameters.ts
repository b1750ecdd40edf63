import type { InputOf } from "../api/contract.ts";
import { type PageParameter, pageParameter } from "./page-parameter.ts";

/** The orders of a collection's documents beside its own. */
export const collectionSorts = ["title", "updated"] as const;
/** An order of a collection's documents. */
export type CollectionSort = (typeof collectionSorts)[number];

/** The order of a collection's documents, as it stands in the address; by default their own, as a tree. */
export type CollectionParameters = PageParameter & { sort?: CollectionSort };

/** Reads the order of an address; what makes no sense is left out. */
export function collectionParameters(search: Record<string, unknown>): CollectionParameters {
  const sort = collectionSorts.find((one) => one === search.sort);
  return sort === undefined ? {} : { ...pageParameter(search), sort };
}

/** Returns the filter of all documents of a collection in an order. */
export function sortedDocuments(collectionId: string, sort: CollectionSort): InputOf<"documents.list"> {
  return { collectionId, sort: sort === "title" ? "title" : "-updatedAt" };
}
