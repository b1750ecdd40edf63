import { call } from "../api/call.ts";
import type { InputOf } from "../api/contract.ts";
import { uploadFile } from "./upload-file.ts";

/** How an import is to be done. */
export type ImportSwitches = Pick<InputOf<"imports.create">, "dryRun" | "update" | "publish">;

/** Where an import writes: into a collection, or into a new one of this name. */
export type ImportTarget =
  | { readonly collectionId: string; readonly newCollection?: undefined }
  | { readonly collectionId?: undefined; readonly newCollection: string };

type Begin = ImportSwitches & { readonly file: File; readonly target: ImportTarget };
type Steps = { readonly signal: AbortSignal; readonly onProgress: (sent: number) => void };

/**
 * Begins an import and sends its file. From then on the service goes on by itself, also when the page is closed.
 * @throws {Failure} if something was refused; the import is then stopped
 */
export async function beginImport({ file, target, ...switches }: Begin, { signal, onProgress }: Steps): Promise<void> {
  const { name, size } = file;
  const ticket = await call("imports.create", { name, size, ...target, ...switches });
  try {
    await uploadFile(ticket.uploadUrl, file, { headers: ticket.headers, signal, onProgress });
  } catch (error) {
    await call("imports.stop", { id: ticket.import.id }).catch(() => {});
    throw error;
  }
}
