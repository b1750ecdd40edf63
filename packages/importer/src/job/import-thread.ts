import { parentPort, workerData } from "node:worker_threads";
import { ServiceError } from "@kb/core";
import { connect } from "@kb/db";
import { openFiles } from "@kb/storage";
import { isTemporary } from "../is-temporary.ts";
import { SourceError } from "../source-error.ts";
import { runJob } from "./run-job.ts";
import { stopMessage, type ThreadMessage, type ThreadRequest } from "./thread-request.ts";

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
    return { kind: "failed", code: error.code, message: error.message, isFinal: error instanceof SourceError };
  }
  if (isTemporary(error)) {
    const message = "The database did not respond. Continue the import when it does.";
    return { kind: "failed", code: "unavailable", message, isFinal: false };
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = "Something went wrong. Continue the import.";
  return { kind: "failed", code: "internal_error", message, isFinal: false, cause };
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** The thread was started by `runImport`, which passes the request. */
function requestOf(data: unknown): ThreadRequest {
  return data as ThreadRequest;
}
