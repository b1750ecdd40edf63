import { describeError, type Logger } from "@kb/runtime";

/** A kind of background work. Every worker runs each task, so tasks claim what they work on. */
export type Task = {
  /** The name in the log. */
  readonly name: string;
  /** Milliseconds from the end of a run to the next one. */
  readonly everyMs: number;
  /** Registers a function that starts the next run early. Returns a function that unregisters it. */
  readonly onWake?: (wake: () => void) => () => void;
  /** Returns `more` if the next run should follow at once. */
  readonly run: () => Promise<"more" | "done">;
};

/** Tasks that run. */
export type RunningTasks = {
  /** Starts no further run, and resolves once the current ones are done. */
  close(): Promise<void>;
};

const retryAfterFailureMs = 2_000;

/** Runs each task repeatedly, independently of the others, and starts at once. A failed run is logged and retried. */
export function runTasks(tasks: readonly Task[], logger: Logger): RunningTasks {
  const stopping = new AbortController();
  const loops = tasks.map((task) => repeat(task, stopping.signal, logger));
  return {
    close: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat({ name, everyMs, onWake, run }: Task, signal: AbortSignal, logger: Logger): Promise<void> {
  let waking = new AbortController();
  const stopWaking = onWake?.(() => waking.abort());
  while (!signal.aborted) {
    // A wake during the run counts for the next one: what it announces may be later than what the run reads.
    waking = new AbortController();
    let waitMs = everyMs;
    let until = AbortSignal.any([signal, waking.signal]);
    try {
      if ((await run()) === "more") waitMs = 0;
    } catch (error) {
      waitMs = Math.max(everyMs, retryAfterFailureMs);
      until = signal;
      logger.error({ cause: describeError(error), retryInMs: waitMs }, `${name} failed and will be retried`);
    }
    if (waitMs > 0) await pause(waitMs, until);
  }
  stopWaking?.();
}

/** Resolves after `ms`, or as soon as the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  // A signal that was aborted during the previous run sends no further event.
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const finish = (): void => resolve();
  const timer = setTimeout(finish, ms);
  signal.addEventListener("abort", finish, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", finish);
  });
}
