import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { InputOf, View } from "../api/contract.ts";
import { Failure } from "../api/failure.ts";
import { queryKeys } from "../api/query-keys.ts";

/** A document below which something is put, with what that depends on. */
export type ParentPlace = Pick<View, "collection" | "path"> &
  Pick<View["document"], "id" | "title" | "emoji" | "archivedAt" | "deletedAt"> &
  Pick<View["abilities"], "createChild">;

/** Asks for a document without its body, and does not count as reading it. */
export const placeRequest = (id: string): InputOf<"documents.view"> => ({ id, include: [], prefetch: true });

/** Returns a document as a place for others. */
export function placeOfView({ document, collection, path, abilities: { createChild } }: View): ParentPlace {
  const { id, title, emoji, archivedAt, deletedAt } = document;
  return { id, title, emoji, archivedAt, deletedAt, collection, path, createChild };
}

/** A document as a place for others; null if it does not exist, or not for the reader. */
export const placeQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.place(id),
    queryFn: async ({ signal }): Promise<ParentPlace | null> => {
      try {
        return placeOfView(await call("documents.view", placeRequest(id), { signal }));
      } catch (error) {
        if (error instanceof Failure && (error.status === 404 || error.status === 403)) return null;
        throw error;
      }
    },
    // That of the server's page is not asked for again at once.
    staleTime: 10_000,
    gcTime: 0,
  });
