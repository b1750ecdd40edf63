import type { OutputOf } from "../api/contract.ts";

/** A document below which something was put. */
type Place = OutputOf<"documents.suggest">[number];

/** The most places that are offered again. */
const mostKept = 3;

let kept: readonly Place[] = [];

/** Remembers a place for the next move, as long as the page is open. */
export function rememberPlace(place: Place): void {
  kept = [place, ...kept.filter(({ id }) => id !== place.id)].slice(0, mostKept);
}

/** Returns the places that were chosen last, the latest first. */
export const recentPlaces = (): readonly Place[] => kept;
