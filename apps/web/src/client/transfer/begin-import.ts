import { call } from "../api/call.ts";
import type { InputOf, OutputOf } from "../api/contract.ts";
import { noteSendingFailure, noteSentFile } from "./sent-files.ts";
import { uploadFile } from "./upload-file.ts";

/** How an import is to be done. */
export type ImportSwitches = Pick<InputOf<"imports.create">, "dryRun" | "update" | "publish">;

/** Where an import writes: into a collection, or into a new one of this name. */
export type ImportTarget =
  | { readonly collectionId: string; readonly newCollection?: undefined }
  | { readonly collectionId?: undefined; readonly newCollection: string };

type Begin = ImportSwitches & { readonly file: File; readonly target: ImportTarget };

/** An import that is listed. `sending` answers false if the reader stopped it, and throws a Failure if the file was refused. */
type BegunImport = { readonly sending: Promise<boolean> };

/**
 * Begins an import. Its file is sent afterwards, also while the reader is on other pages of the app. From then on the service goes on by
 * itself, also when the page is closed.
 * @throws {Failure} if the import was refused
 */
export async function beginImport({ file, target, ...switches }: Begin): Promise<BegunImport> {
  const { name, size } = file;
  const stopping = new AbortController();
  const begun = { sent: 0, stop: () => stopping.abort() };
  const unnamed = Symbol(name);
  // A log-out ends it from the first request on.
  noteSentFile(unnamed, begun);
  try {
    const ticket = await call("imports.create", { name, size, ...target, ...switches });
    if (!stopping.signal.aborted) noteSentFile(ticket.import.id, begun);
    return { sending: sendFile(ticket, file, stopping) };
  } finally {
    noteSentFile(unnamed, undefined);
  }
}

async function sendFile(ticket: OutputOf<"imports.create">, file: File, stopping: AbortController): Promise<boolean> {
  const { signal } = stopping;
  const { id } = ticket.import;
  if (signal.aborted) return false;
  const stop = (): void => stopping.abort();
  const onProgress = (sent: number): void => {
    if (!signal.aborted) noteSentFile(id, { sent, stop });
  };
  try {
    await uploadFile(ticket.uploadUrl, file, { headers: ticket.headers, signal, onProgress });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    noteSendingFailure(id, error);
    await call("imports.stop", { id }).catch(() => {});
    throw error;
  } finally {
    noteSentFile(id, undefined);
  }
}
