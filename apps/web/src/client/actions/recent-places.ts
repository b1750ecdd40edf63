import { useQueries } from "@tanstack/react-query";
import { type ParentPlace, placeQuery } from "./place-query.ts";

/** The most places that are offered again. */
const mostKept = 3;

// The ids only: titles are asked of the service each time, which may have withdrawn them.
let kept: readonly string[] = [];

/** Remembers a place for the next move, as long as the page is open. */
export function rememberPlace(id: string): void {
  kept = [id, ...kept.filter((other) => other !== id)].slice(0, mostKept);
}

/** Returns the places that were chosen last, the latest first, as far as the reader still sees them. */
export function useRecentPlaces(): readonly ParentPlace[] {
  const places = useQueries({ queries: kept.map(placeQuery) });
  return places.flatMap(({ data, isSuccess }) =>
    isSuccess && data !== null && data.archivedAt === null && data.deletedAt === null ? [data] : [],
  );
}
