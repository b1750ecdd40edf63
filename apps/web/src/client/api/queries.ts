import { keepPreviousData, queryOptions, type UseQueryResult } from "@tanstack/react-query";
import { boot, renewBoot } from "../app/boot.ts";
import { call } from "./call.ts";
import type { InputOf } from "./contract.ts";
import { listedFields, pageOfList, pageSize } from "./listed-documents.ts";
import { queryKeys, shownBacklinks, shownFiles, shownGrants } from "./query-keys.ts";

/** The user, the team and the collections. The page brings them along. */
export const bootQuery = queryOptions({
  queryKey: ["app.boot"],
  queryFn: async ({ signal }) => {
    const app = await call("app.boot", {}, { signal });
    renewBoot(app);
    return app;
  },
  initialData: () => boot().app,
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * A document as its page shows it. The cache is given the page's own once, by `createQueryClient`: as `initialData` it would
 * come back each time the document is forgotten, because an observer puts it in wherever there is no data.
 */
export const viewQuery = (id: string) =>
  queryOptions({
    queryKey: ["documents.view", id],
    queryFn: ({ signal }) => call("documents.view", { id }, { signal }),
    staleTime: 30_000,
  });

/** Pages of documents, without their bodies. */
export const listQuery = (filter: Omit<InputOf<"documents.list">, "fields" | "limit">) =>
  queryOptions({
    queryKey: queryKeys.list(filter),
    queryFn: ({ signal }) => call("documents.list", { ...filter, fields: listedFields, limit: pageSize }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** Documents by the beginnings of words in their titles; none while nothing is typed. */
export const suggestQuery = (query: string) =>
  queryOptions({
    queryKey: ["documents.suggest", query],
    queryFn: ({ signal }) => call("documents.suggest", { query }, { signal }),
    placeholderData: keepPreviousData,
    enabled: query !== "",
    staleTime: 10_000,
  });

/** Returns whether a query has its answer or failed, and shows nothing that was asked before; so does one that asks nothing. */
export function isAnswered(query: Pick<UseQueryResult, "isLoading" | "isPlaceholderData" | "isEnabled">): boolean {
  return !query.isEnabled || !(query.isLoading || query.isPlaceholderData);
}

/** A full-text search. */
export const searchQuery = (filter: InputOf<"documents.search">) =>
  queryOptions({
    queryKey: ["documents.search", filter],
    queryFn: ({ signal }) => call("documents.search", { ...filter, fields: listedFields }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** A page of the search screen: hits with their places. */
export const appSearchQuery = (request: InputOf<"app.search">) =>
  queryOptions({
    queryKey: queryKeys.search(request),
    queryFn: ({ signal }) => call("app.search", request, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** A collection with its description. */
export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.collection(id),
    queryFn: ({ signal }) => call("collections.get", { id }, { signal }),
    staleTime: 30_000,
  });

/** Who has access to a collection; only for those who manage it. */
export const grantsQuery = (id: string) =>
  queryOptions({
    queryKey: ["collections.grants.list", id],
    queryFn: ({ signal }) => call("collections.grants.list", { id, limit: shownGrants }, { signal }),
  });

/** People and groups that may be given access to a collection. */
export const candidatesQuery = (id: string, query: string) =>
  queryOptions({
    queryKey: ["collections.grants.candidates", id, query],
    queryFn: ({ signal }) => call("collections.grants.candidates", { id, query, limit: 20 }, { signal }),
    placeholderData: keepPreviousData,
    enabled: query !== "",
  });

/** Documents that the reader viewed or drafted last, and documents that others changed. */
export const recentQuery = queryOptions({
  queryKey: queryKeys.recent(),
  queryFn: ({ signal }) => call("documents.recent", {}, { signal }),
  staleTime: 10_000,
});

/** The tags that the reader may know. */
export const tagsQuery = queryOptions({
  queryKey: queryKeys.tags(),
  queryFn: ({ signal }) => call("tags.list", {}, { signal }),
  staleTime: 30_000,
});

/** The documents that link to a document. */
export const backlinksQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.backlinks(id),
    queryFn: ({ signal }) => call("documents.backlinks", { id, limit: shownBacklinks }, { signal }),
    staleTime: 30_000,
  });

/** The files of a document, the newest first. */
export const filesQuery = (documentId: string) =>
  queryOptions({
    queryKey: queryKeys.files(documentId),
    queryFn: ({ signal }) => call("attachments.list", { documentId, limit: shownFiles }, { signal }),
    staleTime: 30_000,
  });

/** A page of the stored states of a document, the newest first. */
export const revisionsQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: queryKeys.revisions(id, page),
    queryFn: ({ signal }) => call("documents.revisions.list", { id, ...pageOfList(page) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** One state of a document, which never changes. */
export const revisionQuery = (id: string, revision: number) =>
  queryOptions({
    queryKey: queryKeys.revision(id, revision),
    queryFn: ({ signal }) => call("documents.revisions.view", { id, revision }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
