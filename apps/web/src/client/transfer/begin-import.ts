import { call } from "../api/call.ts";
import type { InputOf } from "../api/contract.ts";
import { noteSentFile } from "./sent-files.ts";
import { uploadFile } from "./upload-file.ts";

/** How an import is to be done. */
export type ImportSwitches = Pick<InputOf<"imports.create">, "dryRun" | "update" | "publish">;

/** Where an import writes: into a collection, or into a new one of this name. */
export type ImportTarget =
  | { readonly collectionId: string; readonly newCollection?: undefined }
  | { readonly collectionId?: undefined; readonly newCollection: string };

type Begin = ImportSwitches & { readonly file: File; readonly target: ImportTarget };

/**
 * Begins an import and sends its file, also while the reader is on other pages of the app. From then on the service goes on by itself,
 * also when the page is closed. Returns false if the reader stopped it. `onBegun` is called once the import is listed.
 * @throws {Failure} if something was refused; the import is then stopped
 */
export async function beginImport({ file, target, ...switches }: Begin, onBegun: () => void): Promise<boolean> {
  const { name, size } = file;
  const ticket = await call("imports.create", { name, size, ...target, ...switches });
  const { id } = ticket.import;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  noteSentFile(id, { sent: 0, stop });
  onBegun();
  try {
    const onProgress = (sent: number): void => noteSentFile(id, { sent, stop });
    await uploadFile(ticket.uploadUrl, file, { headers: ticket.headers, signal: stopping.signal, onProgress });
    return true;
  } catch (error) {
    if (stopping.signal.aborted) return false;
    await call("imports.stop", { id }).catch(() => {});
    throw error;
  } finally {
    noteSentFile(id, undefined);
  }
}
