import { queryOptions, useQueries } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { OutputOf } from "../api/contract.ts";

/** A document below which something was put. */
type Place = Pick<OutputOf<"documents.suggest">[number], "id" | "title" | "emoji" | "collection" | "path">;

/** The most places that are offered again. */
const mostKept = 3;

// The ids only: titles are asked of the service each time, which may have withdrawn them.
let kept: readonly string[] = [];

/** Remembers a place for the next move, as long as the page is open. */
export function rememberPlace(id: string): void {
  kept = [id, ...kept.filter((other) => other !== id)].slice(0, mostKept);
}

const placeQuery = (id: string) =>
  queryOptions({
    queryKey: ["documents.place", id],
    queryFn: async ({ signal }): Promise<Place | null> => {
      const { document, collection, path } = await call(
        "documents.view",
        { id, include: [], prefetch: true },
        { signal },
      );
      const { title, emoji, archivedAt, deletedAt } = document;
      return archivedAt === null && deletedAt === null ? { id, title, emoji, collection, path } : null;
    },
    gcTime: 0,
  });

/** Returns the places that were chosen last, the latest first, as far as the reader still sees them. */
export function useRecentPlaces(): readonly Place[] {
  const places = useQueries({ queries: kept.map(placeQuery) });
  return places.flatMap(({ data, isSuccess }) => (isSuccess && data !== null ? [data] : []));
}
