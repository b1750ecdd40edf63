import { useSyncExternalStore } from "react";

/** The words for a time: the day, and the exact time. */
export type WordedTime = { readonly day: string; readonly exact: string };

/** A page that has been open for this time is at rest. */
const restMs = 1_500;

const worded = new Map<string, WordedTime>();
const listeners = new Set<() => void>();

/**
 * Keeps the words for the times that the server's page shows until the page is at rest. The browser needs long for its first
 * format of a time, which the start does not wait for; only then are times told in the zone of the reader.
 */
export function keepServerTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>("#app time")) {
    worded.set(element.dateTime, { day: element.textContent, exact: element.title });
  }
  setTimeout(() => {
    worded.clear();
    for (const listener of listeners) listener();
  }, restMs);
}

/** Returns the server's words for a time; undefined once the page is at rest, and for a time that its page does not show. */
export const useServerTime = (time: string): WordedTime | undefined =>
  useSyncExternalStore(subscribe, () => worded.get(time));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
