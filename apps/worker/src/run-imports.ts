import {
  type ClaimedImport,
  claimImport,
  dropImportFile,
  type ImportEnd,
  reportImport,
  type Service,
  settleImport,
} from "@kb/core";
import { type ImportSettings, runImport, type ThreadEnd } from "@kb/importer";
import { describeError, type Logger } from "@kb/runtime";

/** Options of the imports of one worker. */
export type RunImportsOptions = {
  readonly service: Service;
  readonly logger: Logger;
  readonly settings: ImportSettings;
  /** Time after which another worker continues the import of a worker that died; more than a report takes. */
  readonly leaseMs: number;
  /** Time between two reports of the progress. */
  readonly reportMs: number;
};

/** The imports of one worker: one at a time, as each takes a processor. */
export type RunningImports = {
  /** Starts the import that waits longest, if none is running. */
  readonly run: () => Promise<"done">;
  /** Ends the running import, which another worker continues, and resolves once it has ended. */
  readonly close: () => Promise<void>;
};

/** An import that ended this often without a word has a cause that a further attempt does not change. */
const maxAttempts = 3;

/** Opens the imports of one worker. */
export function openImports(options: RunImportsOptions): RunningImports {
  const { service, logger, leaseMs } = options;
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  return {
    run: async () => {
      if (running !== undefined || closing.signal.aborted) return "done";
      const claimed = await claimImport(service, leaseMs);
      if (claimed === null) return "done";
      running = runClaimed(options, claimed, closing.signal)
        // The lease expires and another worker continues.
        .catch((error: unknown) => logger.error({ cause: describeError(error), import: claimed.id }, "import"))
        .finally(() => {
          running = undefined;
        });
      return "done";
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

type Watch = { state: "running" | "stopped" | "lost" };

async function runClaimed(options: RunImportsOptions, claimed: ClaimedImport, closing: AbortSignal): Promise<void> {
  const { service, logger, settings } = options;
  const stop = new AbortController();
  const watch: Watch = { state: "running" };
  const progress = { files: 0, read: 0, written: 0 };
  const reports = reportProgress(options, claimed, progress, (state) => {
    watch.state = state;
    stop.abort();
  });
  const startedAt = performance.now();
  const run = async () =>
    claimed.attempts > maxAttempts
      ? tooManyAttempts
      : await runImport(settings, claimed, {
          signal: AbortSignal.any([stop.signal, closing]),
          onProgress: (now) => Object.assign(progress, { files: now.files, read: now.read, written: now.written }),
        });
  // After a failure nothing extends the lease, so that another worker continues.
  const end = await run().finally(() => reports.close());
  if (watch.state === "lost") return;
  // The last figures, which the result of a stopped import does not have.
  if ((await reportImport(service, claimed, progress, options.leaseMs)) === "lost") return;
  const settled = endOf(end, watch.state === "stopped", closing.aborted);
  const isSettled = await settleImport(service, claimed, settled);
  if (isSettled && settled.status === "done" && !claimed.options.dryRun) await dropImportFile(service, claimed);
  const { id, teamId, attempts } = claimed;
  const durationMs = Math.round(performance.now() - startedAt);
  const cause = "cause" in end ? { cause: end.cause } : {};
  logger.info(
    { import: id, teamId, attempt: attempts, result: settled.status, durationMs, ...progress, ...cause },
    "import",
  );
}

const tooManyAttempts: ThreadEnd = {
  kind: "failed",
  code: "internal_error",
  message: "The import ended unexpectedly several times. Divide its file into smaller ones.",
};

/** Returns what is recorded about the end of a thread. */
function endOf(end: ThreadEnd, isStopped: boolean, isClosing: boolean): ImportEnd {
  if (end.kind === "done") return { status: "done", result: end.result };
  if (isStopped) return { status: "stopped" };
  if (isClosing || end.kind === "ended") return { status: "requeued", isPlanned: isClosing };
  return { status: "failed", failure: { code: end.code, message: end.message } };
}

/** Writes the progress again and again, and says when the import has to end. */
function reportProgress(
  { service, leaseMs, reportMs, logger }: RunImportsOptions,
  claimed: ClaimedImport,
  progress: Readonly<{ files: number; read: number; written: number }>,
  onEnd: (state: "stopped" | "lost") => void,
): { close: () => Promise<void> } {
  let current: Promise<void> = Promise.resolve();
  const report = async (): Promise<void> => {
    const answer = await reportImport(service, claimed, progress, leaseMs);
    if (answer !== "go on") onEnd(answer === "stop" ? "stopped" : "lost");
  };
  const timer = setInterval(() => {
    current = current
      .then(report)
      .catch((error: unknown) => logger.warn({ cause: describeError(error), import: claimed.id }, "import"));
  }, reportMs);
  return {
    close: () => {
      clearInterval(timer);
      return current;
    },
  };
}
