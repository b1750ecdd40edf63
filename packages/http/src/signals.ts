/**
 * Stops the process once on SIGTERM or SIGINT: `stop` does all the work, then the process exits with 0, or 1 where it
 * failed. A second signal does not wait.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(signal === "SIGINT" ? 130 : 143);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
