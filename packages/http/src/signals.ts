const codes = { SIGTERM: 143, SIGINT: 130 } as const;
type StopSignal = keyof typeof codes;

function onSignals(listener: (signal: StopSignal) => void): void {
  process.on("SIGTERM", listener);
  process.on("SIGINT", listener);
}

/**
 * Ends the process at a signal while it has nothing to stop yet; gives what ends that. The first process of a container, for
 * which the system does not do it, would lose the signal, and be killed when its grace is over.
 */
export function endOnSignals(): () => void {
  const end = (signal: StopSignal): void => process.exit(codes[signal]);
  onSignals(end);
  return () => {
    process.off("SIGTERM", end);
    process.off("SIGINT", end);
  };
}

/**
 * Stops the process once on SIGTERM or SIGINT: `stop` does all the work, then the process exits with 0, or 1 where it
 * failed. A second signal does not wait.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  onSignals((signal) => {
    if (stopping) process.exit(codes[signal]);
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
