import { rm } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { ClaimedImport } from "@kb/core";
import { makeFolder, storageSettingsOf } from "@kb/storage";
import { explain } from "../explain.ts";
import { importHeapMb } from "./heap.ts";
import type { JobResult } from "./job-result.ts";
import { folderOfImport } from "./sweep-folders.ts";
import {
  type FailedThread,
  failedThread,
  type ImportSettings,
  stopMessage,
  type ThreadMessage,
  type ThreadProgress,
  type ThreadRequest,
} from "./thread-request.ts";

/** How a thread ended. `ended` means that it did not say why, such as one that was stopped. */
export type ThreadEnd =
  | { readonly kind: "done"; readonly result: JobResult }
  | FailedThread
  | { readonly kind: "ended"; readonly cause: string };

/** The time that a thread has to end what it writes. */
const stopMs = 5_000;

/**
 * Runs an import in a thread of its own, and returns how it ended. Its folder is of this attempt only,
 * and removed afterwards.
 */
export async function runImport(
  settings: ImportSettings,
  claimed: ClaimedImport,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: ThreadProgress) => void },
): Promise<ThreadEnd> {
  const folder = folderOfImport(settings.dataDir, claimed);
  await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
  try {
    const { databaseUrl, appUrl, dataDir, quotas } = settings;
    // Nothing else of the installation, such as its secrets, goes into the thread.
    const storage = storageSettingsOf(settings.storage);
    const request = { databaseUrl, appUrl, dataDir, quotas, storage, claimed, folder };
    return await inThread(request, settings.heapMb ?? importHeapMb(), signal, onProgress);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inThread(
  request: ThreadRequest,
  heapMb: number,
  signal: AbortSignal,
  onProgress: (progress: ThreadProgress) => void,
): Promise<ThreadEnd> {
  const { promise, resolve } = Promise.withResolvers<ThreadEnd>();
  const thread = new Worker(new URL("./import-thread.ts", import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  let end: ThreadEnd | undefined;
  let kill: NodeJS.Timeout | undefined;
  const stop = (): void => {
    thread.postMessage(stopMessage);
    kill = setTimeout(() => void thread.terminate(), stopMs);
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  thread.on("message", (message: ThreadMessage) => {
    if (message.kind === "progress") onProgress(message);
    else end = message;
  });
  thread.on("error", (error) => {
    end ??= isOutOfMemory(error)
      ? outOfMemory(request.claimed.name, heapMb)
      : { kind: "ended", cause: error instanceof Error ? error.message : String(error) };
  });
  thread.on("exit", (code) => {
    clearTimeout(kill);
    signal.removeEventListener("abort", stop);
    resolve(end ?? { kind: "ended", cause: `the thread ended with ${code}` });
  });
  return promise;
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const outOfMemory = (name: string, megabytes: number): FailedThread =>
  failedThread("payload_too_large", explain("memory", { name, megabytes }), { isFinal: true });
