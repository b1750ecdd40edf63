import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ClaimedImport, ImportProgress } from "@kb/core";
import { storageSettingsOf } from "@kb/storage";
import type { JobResult } from "./job-result.ts";
import { type ImportSettings, stopMessage, type ThreadMessage, type ThreadRequest } from "./thread-request.ts";

/** How a thread ended. `ended` means that it did not say why: it ran out of memory, or was stopped. */
export type ThreadEnd =
  | { readonly kind: "done"; readonly result: JobResult }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly cause?: string }
  | { readonly kind: "ended"; readonly cause: string };

/** Heap of the thread, in megabytes: the titles, paths and links of 100,000 files. */
const heapMb = 1_024;
/** The time that a thread has to end what it writes. */
const stopMs = 5_000;

/**
 * Runs an import in a thread of its own, and returns how it ended. Its folder is emptied before, because an earlier worker may
 * have died, and removed afterwards.
 */
export async function runImport(
  settings: ImportSettings,
  claimed: ClaimedImport,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: ImportProgress) => void },
): Promise<ThreadEnd> {
  const folder = join(settings.dataDir, "imports", claimed.id);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const { databaseUrl, appUrl, dataDir, quotas } = settings;
    // Nothing else of the installation, such as its secrets, goes into the thread.
    const storage = storageSettingsOf(settings.storage);
    return await inThread({ databaseUrl, appUrl, dataDir, quotas, storage, claimed, folder }, signal, onProgress);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inThread(
  request: ThreadRequest,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void,
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
    end ??= { kind: "ended", cause: error instanceof Error ? error.message : String(error) };
  });
  thread.on("exit", (code) => {
    clearTimeout(kill);
    signal.removeEventListener("abort", stop);
    resolve(end ?? { kind: "ended", cause: `the thread ended with ${code}` });
  });
  return promise;
}
