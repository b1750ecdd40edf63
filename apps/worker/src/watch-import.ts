import { type ClaimedImport, doOthersWait, reportImport, type Service } from "@kb/core";
import type { ImportSettings, ThreadProgress } from "@kb/importer";
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
  /** Time after which an import leaves the worker to those of other people that wait, and continues in its next turn. */
  readonly turnMs: number;
  /** Time in which an import has to write its first document, and a dry run has to end. */
  readonly preparationMs: number;
};

/**
 * Why an import has to end. `stopped`: by its user; `lost`: another worker has taken it over; `turn over`: others wait; `slow`: it
 * would take this long again in each turn.
 */
export type Watched = "running" | "stopped" | "lost" | "turn over" | "slow";

/** An import that is watched. */
export type ImportWatch = {
  /** Aborted when the import has to end. */
  readonly signal: AbortSignal;
  readonly state: () => Watched;
  readonly progress: () => ThreadProgress;
  readonly onProgress: (progress: ThreadProgress) => void;
  /** Ends the reports, and resolves once the last one is written. */
  readonly close: () => Promise<void>;
};

/** Writes the progress of an import again and again, which extends its lease, and says when the import has to end. */
export function watchImport(options: RunImportsOptions, claimed: ClaimedImport): ImportWatch {
  const { service, leaseMs, reportMs, logger } = options;
  const ending = new AbortController();
  const startedAt = performance.now();
  let state: Watched = "running";
  let progress: ThreadProgress = { files: 0, read: 0, written: 0, changed: 0 };
  const report = async (): Promise<void> => {
    const { files, read, written } = progress;
    const answer = await reportImport(service, claimed, { files, read, written }, leaseMs);
    const next = answer === "go on" ? await nextState(options, claimed, progress.changed, startedAt) : answer;
    if (state !== "running" || next === "running") return;
    state = next === "stop" ? "stopped" : next;
    ending.abort();
  };
  let current: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    current = current
      .then(report)
      .catch((error: unknown) => logger.warn({ cause: describeError(error), import: claimed.id }, "import"));
  }, reportMs);
  return {
    signal: ending.signal,
    state: () => state,
    progress: () => progress,
    onProgress: (now) => {
      progress = now;
    },
    close: () => {
      clearInterval(timer);
      return current;
    },
  };
}

/** A turn ends only after it has written something, so that every turn brings the import forward. */
async function nextState(
  { service, turnMs, preparationMs }: RunImportsOptions,
  claimed: ClaimedImport,
  changed: number,
  startedAt: number,
): Promise<Extract<Watched, "running" | "turn over" | "slow">> {
  const elapsedMs = performance.now() - startedAt;
  if (changed === 0) return elapsedMs > preparationMs ? "slow" : "running";
  return elapsedMs > turnMs && (await doOthersWait(service, claimed)) ? "turn over" : "running";
}
