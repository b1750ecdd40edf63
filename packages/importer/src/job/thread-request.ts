import type { ClaimedImport, ImportExplanation, ImportProgress, Quotas } from "@kb/core";
import type { StorageSettings } from "@kb/storage";
import type { Explained } from "../explain.ts";
import type { JobResult } from "./job-result.ts";

/** The installation in which imports run. */
export type ImportSettings = {
  /** The address of the server itself, not of a pooler: imports hold locks of a session. */
  readonly databaseUrl: string;
  readonly appUrl: string;
  readonly storage: StorageSettings;
  readonly dataDir: string;
  readonly quotas: Quotas;
  /** Heap of an import in megabytes. Default: a part of the memory of the process. */
  readonly heapMb?: number;
};

/** The import that a thread runs. */
export type ThreadRequest = ImportSettings & {
  readonly claimed: ClaimedImport;
  /** An empty folder for the file and what it unpacks to. */
  readonly folder: string;
};

/** The only message to a thread: it ends its work as soon as possible. */
export const stopMessage = "stop";

/** The messages of a thread. */
export type ThreadMessage =
  | ({ readonly kind: "progress" } & ThreadProgress)
  | { readonly kind: "done"; readonly result: JobResult }
  | FailedThread;

/** How far a thread is. `changed`: the documents that it has created or changed so far, which a further thread does not do again. */
export type ThreadProgress = ImportProgress & { readonly changed: number };

/** A failure that its user learns of. `isFinal` if nothing but another file helps. */
export type FailedThread = {
  readonly kind: "failed";
  readonly code: string;
  readonly message: string;
  readonly explanation: ImportExplanation | null;
  readonly isFinal: boolean;
  readonly cause?: string;
};

/** Returns the failure of a thread. */
export const failedThread = (
  code: string,
  { text: message, explanation }: Explained,
  { isFinal, cause }: { readonly isFinal: boolean; readonly cause?: string },
): FailedThread => ({
  kind: "failed",
  code,
  message,
  explanation,
  isFinal,
  ...(cause === undefined ? {} : { cause }),
});
