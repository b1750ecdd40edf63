import { useSyncExternalStore } from "react";
import type { TimeForm } from "../../messages/dates.ts";

/** The words for a time: as it is shown, and the exact time. */
export type WordedTime = { readonly shown: string; readonly exact: string };

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
    const key = keyOf(element.dateTime, element.dataset.form);
    worded.set(key, { shown: element.textContent, exact: element.title });
  }
  setTimeout(() => {
    worded.clear();
    for (const listener of listeners) listener();
  }, restMs);
}

/** Returns the server's words for a time; undefined once the page is at rest, and for a time that its page does not show. */
export const useServerTime = (time: string, form: TimeForm): WordedTime | undefined =>
  useSyncExternalStore(subscribe, () => worded.get(keyOf(time, form)));

/** One page may tell a time in several forms. */
const keyOf = (time: string, form = ""): string => `${time} ${form}`;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
