const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;
type StopSignal = keyof typeof exitCodes;

function onSignals(listener: (signal: StopSignal) => void): void {
  process.on("SIGTERM", listener);
  process.on("SIGINT", listener);
}

/**
 * Exits on a signal while the process has nothing to stop yet; returns a function that removes the listeners. The first
 * process of a container needs them: the system ignores signals for it, and it would be killed after the grace period.
 */
export function exitOnSignals(): () => void {
  const exit = (signal: StopSignal): void => process.exit(exitCodes[signal]);
  onSignals(exit);
  return () => {
    process.off("SIGTERM", exit);
    process.off("SIGINT", exit);
  };
}

/**
 * Calls `stop` on the first SIGTERM or SIGINT, then exits with 0, or with 1 if it failed. A second signal exits at once.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  onSignals((signal) => {
    if (stopping) process.exit(exitCodes[signal]);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
