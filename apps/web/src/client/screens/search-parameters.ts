import type { InputOf } from "../api/contract.ts";
import { pageSize } from "../api/listed-documents.ts";

/** The states that a search can be narrowed to. */
export const searchStatuses = ["draft", "published", "archived"] as const;
type SearchStatus = (typeof searchStatuses)[number];

/** The longest query that the service takes, in characters. */
export const longestQuery = 500;

/** The words and the filters of a search, as they stand in the address. */
export type SearchParameters = {
  query?: string;
  /** The id of a collection. */
  collection?: string;
  tag?: string;
  status?: SearchStatus;
  page?: number;
};

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestTag = 64;
const mostPages = 1_000;

/** Reads the words and filters of an address; what makes no sense is left out, so that every address shows a page. */
export function searchParameters(search: Record<string, unknown>): SearchParameters {
  const text = (name: string): string =>
    String(search[name] ?? "")
      .replaceAll("\0", "")
      .trim();
  const query = text("query").slice(0, longestQuery).toWellFormed();
  const collection = text("collection");
  const tag = text("tag").slice(0, longestTag).toWellFormed();
  const status = searchStatuses.find((one) => one === search.status);
  const page = Number(search.page);
  return {
    ...(query === "" ? {} : { query }),
    ...(idPattern.test(collection) ? { collection: collection.toLowerCase() } : {}),
    ...(tag === "" ? {} : { tag }),
    ...(status === undefined ? {} : { status }),
    ...(Number.isInteger(page) && page > 1 ? { page: Math.min(page, mostPages) } : {}),
  };
}

/** Returns whether the search is narrowed by a filter. */
export const isFiltered = ({ collection, tag, status }: SearchParameters): boolean =>
  collection !== undefined || tag !== undefined || status !== undefined;

/** Returns the request for a page of hits. */
export function searchRequest({
  query = "",
  collection,
  tag,
  status,
  page = 1,
}: SearchParameters): InputOf<"app.search"> {
  return {
    query,
    ...(collection === undefined ? {} : { collectionId: collection }),
    ...(tag === undefined ? {} : { tag }),
    ...(status === undefined ? {} : { status }),
    limit: pageSize,
    offset: (page - 1) * pageSize,
  };
}
