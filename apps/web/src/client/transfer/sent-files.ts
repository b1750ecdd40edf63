import { useSyncExternalStore } from "react";

/** A file on its way to the service: the bytes that were sent, and the function that ends it. */
type SentFile = { readonly sent: number; readonly stop: () => void };

/** By the ids of their imports. They go on while the reader is on other pages of the app. */
let files: ReadonlyMap<string, SentFile> = new Map();
const listeners = new Set<() => void>();

/** Notes how much of the file of an import is sent; undefined ends its sending. */
export function noteSentFile(id: string, file: SentFile | undefined): void {
  const next = new Map(files);
  if (file === undefined) next.delete(id);
  else next.set(id, file);
  files = next;
  if (files.size === 0) removeEventListener("beforeunload", ask);
  else addEventListener("beforeunload", ask);
  for (const listener of listeners) listener();
}

/** Asks before the page is left, because the rest of the file would be lost with it. */
const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Ends the sending of a file from this page, if there is one. */
export function stopSending(id: string): void {
  files.get(id)?.stop();
}

/** Returns the bytes of the file of an import that this page has sent; undefined while it sends none. */
export const useSentBytes = (id: string): number | undefined =>
  useSyncExternalStore(subscribe, () => files.get(id)?.sent);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
