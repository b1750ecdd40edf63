import { watchLaunchers } from "./launchers.ts";

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Aborted when the process is to stop: by Ctrl-C, SIGTERM or a closed terminal, and by the end of the package manager
 * where one runs it. A second signal ends it at once.
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
