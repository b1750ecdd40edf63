import { watchLaunchers } from "./launchers.ts";

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Returns a signal that aborts on Ctrl-C, SIGTERM, a closed terminal, or the end of the package manager that runs the
 * process. A second signal ends the process at once.
 */
export function stopSignal({ byPackageManager }: { byPackageManager: boolean }): AbortSignal {
  const stopping = new AbortController();
  let signals = 0;
  for (const [signal, number] of Object.entries(signalNumbers)) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(128 + number);
      stopping.abort();
    });
  }
  if (byPackageManager) watchLaunchers(() => stopping.abort());
  return stopping.signal;
}
