import {
  type ClaimedImport,
  claimImport,
  dropImportFile,
  type ImportEnd,
  isFileUseless,
  reportImport,
  settleImport,
} from "@kb/core";
import { explain, type FailedThread, failedThread, runImport, sweepFolders, type ThreadEnd } from "@kb/importer";
import { describeError } from "@kb/runtime";
import { type RunImportsOptions, type Watched, watchImport } from "./watch-import.ts";

/** The imports of one worker: one at a time, as each takes a processor. */
export type RunningImports = {
  /** Starts an import, if one waits and none is running. */
  readonly run: () => Promise<"done">;
  /** Ends the running import, which another worker continues, and resolves once it has ended. */
  readonly close: () => Promise<void>;
};

/** An import that ended this often without a word has a cause that a further attempt does not change. */
const maxCrashes = 3;

/** Opens the imports of one worker. */
export function openImports(options: RunImportsOptions): RunningImports {
  const { service, logger, leaseMs, settings } = options;
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let isSwept = false;
  return {
    run: async () => {
      if (running !== undefined || closing.signal.aborted) return "done";
      if (!isSwept) {
        // Only this worker and others on its data folder know of what a killed one left there.
        await sweepFolders(service, settings.dataDir);
        isSwept = true;
      }
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

async function runClaimed(options: RunImportsOptions, claimed: ClaimedImport, closing: AbortSignal): Promise<void> {
  const { service, logger, settings } = options;
  const watch = watchImport(options, claimed);
  const startedAt = performance.now();
  const run = async () =>
    claimed.crashes >= maxCrashes
      ? tooManyCrashes
      : await runImport(settings, claimed, {
          signal: AbortSignal.any([watch.signal, closing]),
          onProgress: watch.onProgress,
        });
  // After a failure nothing extends the lease, so that another worker continues.
  const end = await run().finally(() => watch.close());
  const state = watch.state();
  if (state === "lost") return;
  const { files, read, written } = watch.progress();
  // The last figures, which the result of a stopped import does not have.
  if ((await reportImport(service, claimed, { files, read, written }, options.leaseMs)) === "lost") return;
  const settled = endOf(end, state, closing.aborted);
  const isSettled = await settleImport(service, claimed, settled);
  if (isSettled && isFileUseless(claimed, settled)) await dropImportFile(service, claimed);
  const { id, teamId, attempts: attempt } = claimed;
  const durationMs = Math.round(performance.now() - startedAt);
  const cause = "cause" in end ? { cause: end.cause } : {};
  const facts = { import: id, teamId, attempt, result: settled.status, durationMs, files, read, written };
  logger.info({ ...facts, ...cause }, "import");
}

const tooManyCrashes = failedThread("internal_error", explain("crashed", {}), { isFinal: true });

const tooSlow = failedThread("payload_too_large", explain("too_slow", {}), { isFinal: true });

/** Returns what is recorded about the end of a thread. */
function endOf(end: ThreadEnd, state: Watched, isClosing: boolean): ImportEnd {
  if (end.kind === "done") return { status: "done", result: end.result };
  if (state === "stopped") return { status: "stopped" };
  if (state === "slow") return failedImport(tooSlow);
  const isPlanned = isClosing || state === "turn over";
  if (isPlanned || end.kind === "ended") return { status: "requeued", isPlanned };
  return failedImport(end);
}

const failedImport = ({ code, message, explanation, isFinal }: FailedThread): ImportEnd => ({
  status: "failed",
  failure: { code, message, explanation },
  isFinal,
});
