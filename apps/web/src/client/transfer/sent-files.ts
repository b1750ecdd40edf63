import { useSyncExternalStore } from "react";

/** A file on its way to the service: the bytes that were sent, and the function that ends it. */
type SentFile = { readonly sent: number; readonly stop: () => void };

/** The import of a file, or what stands for it until the service has named it. */
type SentFileKey = string | symbol;

/** The files of this page. They go on while the reader is on other pages of the app. */
let files: ReadonlyMap<SentFileKey, SentFile> = new Map();
/** Why the file of an import was not sent, by the ids of the imports. */
const failures = new Map<string, unknown>();
const listeners = new Set<() => void>();

/** Notes how much of the file of an import is sent; undefined ends its sending. */
export function noteSentFile(key: SentFileKey, file: SentFile | undefined): void {
  const next = new Map(files);
  if (file === undefined) next.delete(key);
  else next.set(key, file);
  change(next);
}

/** Notes why the file of an import was not sent. */
export function noteSendingFailure(id: string, error: unknown): void {
  failures.set(id, error);
  change(new Map(files));
}

function change(next: ReadonlyMap<SentFileKey, SentFile>): void {
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

/** Returns whether this page sends a file. */
export const isSending = (): boolean => files.size > 0;

/** Ends the sending of all files of this page, also of those that are only begun: leaving the page then asks nothing. */
export function forgetSending(): void {
  const stopped = [...files.values()];
  change(new Map());
  for (const { stop } of stopped) stop();
}

/** Returns the bytes of the file of an import that this page has sent; undefined while it sends none. */
export const useSentBytes = (id: string): number | undefined =>
  useSyncExternalStore(subscribe, () => files.get(id)?.sent);

/** Returns why this page could not send the file of an import; undefined if nothing is wrong. */
export const useSendingFailure = (id: string): unknown => useSyncExternalStore(subscribe, () => failures.get(id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
