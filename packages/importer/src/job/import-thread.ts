import { parentPort, workerData } from "node:worker_threads";
import { type ImportExplanation, isQuotaExceeded, ServiceError } from "@kb/core";
import { connect } from "@kb/db";
import { openFiles } from "@kb/storage";
import { explain } from "../explain.ts";
import { isTemporary } from "../is-temporary.ts";
import { SourceError } from "../source-error.ts";
import { JobError } from "./job-error.ts";
import { runJob } from "./run-job.ts";
import { failedThread, stopMessage, type ThreadMessage, type ThreadRequest } from "./thread-request.ts";

// Runs one import in a thread of its own, because texts of any length are parsed, and its memory is bounded.
const progressEveryMs = 500;

await run(requestOf(workerData));

async function run(request: ThreadRequest): Promise<void> {
  const stop = new AbortController();
  parentPort?.once("message", (message: unknown) => {
    if (message === stopMessage) stop.abort();
  });
  const database = connect({ url: request.databaseUrl, poolMax: 4, applicationName: "kb import" });
  const progress = { files: 0, read: 0, written: 0, changed: 0 };
  const report = (): void => send({ kind: "progress", ...progress });
  const timer = setInterval(report, progressEveryMs);
  const { appUrl, quotas, storage, dataDir } = request;
  const clock = { now: () => new Date() };
  try {
    const service = { database, clock, appUrl, quotas, files: openFiles(storage, dataDir) };
    const result = await runJob(service, request, {
      signal: stop.signal,
      onTotal: (files) => {
        progress.files = files;
      },
      onFile: () => {
        progress.read += 1;
      },
      onPage: () => {
        progress.written += 1;
      },
      onChange: () => {
        progress.changed += 1;
      },
    });
    report();
    send({ kind: "done", result });
  } catch (error) {
    send(failureOf(error));
  } finally {
    clearInterval(timer);
    await database.close();
    parentPort?.close();
  }
}

function failureOf(error: unknown): ThreadMessage {
  if (error instanceof SourceError || error instanceof ServiceError) {
    const { code, message } = error;
    return { kind: "failed", code, message, explanation: explanationOf(error), isFinal: error instanceof SourceError };
  }
  if (isTemporary(error)) return failedThread("unavailable", explain("no_database", {}), { isFinal: false });
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return failedThread("internal_error", explain("unexpected", {}), { isFinal: false, cause });
}

function explanationOf(error: SourceError | ServiceError): ImportExplanation | null {
  if (error instanceof SourceError || error instanceof JobError) return error.explanation;
  return isQuotaExceeded(error) ? explain("quota", {}).explanation : null;
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** The thread was started by `runImport`, which passes the request. */
function requestOf(data: unknown): ThreadRequest {
  return data as ThreadRequest;
}
