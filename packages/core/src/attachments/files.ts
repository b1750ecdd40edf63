import type { FileStore } from "@kb/storage";
import { ServiceError } from "../errors.ts";

/** Where the bytes of attachments are, and how many one may have. */
export type Files = { readonly store: FileStore; readonly maxBytes: number };

/** @throws {ServiceError} `unavailable` in a process that has no store. */
export function requireFiles({ files }: { readonly files?: Files | undefined }): Files {
  if (files !== undefined) return files;
  throw new ServiceError(
    "unavailable",
    "Attachments are not available here: this process has no place for their bytes.",
  );
}
