import type { FileStore, WatchedStore } from "@kb/storage";
import { ServiceError } from "../errors.ts";

/** The store of attachments, which may know whether it is out of space, and the maximum size of one. */
export type Files = {
  readonly store: FileStore & Partial<WatchedStore>;
  readonly maxBytes: number;
  /** The maximum size of a file to import. Default: 512 MB. */
  readonly maxImportBytes?: number;
};

/** Returns the store of attachments. @throws {ServiceError} `unavailable` in a process without one. */
export function requireFiles({ files }: { readonly files?: Files | undefined }): Files {
  if (files !== undefined) return files;
  throw new ServiceError("unavailable", "Attachments are not available here: this process has no store for them.");
}
