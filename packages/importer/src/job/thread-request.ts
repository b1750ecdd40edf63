import type { ClaimedImport, ImportProgress, Quotas } from "@kb/core";
import type { StorageSettings } from "@kb/storage";
import type { JobResult } from "./job-result.ts";

/** The installation in which imports run. */
export type ImportSettings = {
  readonly databaseUrl: string;
  readonly appUrl: string;
  readonly storage: StorageSettings;
  readonly dataDir: string;
  readonly quotas: Quotas;
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
  | ({ readonly kind: "progress" } & ImportProgress)
  | { readonly kind: "done"; readonly result: JobResult }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly cause?: string };
