/** A module of the editor that is not in its first files. */
export type Part<Module> = {
  /** The module, once it is loaded. */
  readonly current: Module | undefined;
  /** Loads the module. One that did not come is asked for again by the next call. */
  readonly load: () => Promise<Module>;
  /** Calls a function with the module once it is there, for which it is asked for again and again. Returns what ends the wait. */
  readonly use: (run: (module: Module) => void) => () => void;
};

const firstPauseMs = 5_000;
const lastPauseMs = 120_000;

/** Returns a part of the editor that loads when it is first needed. */
export function part<Module>(load: () => Promise<Module>): Part<Module> {
  let current: Module | undefined;
  let loading: Promise<Module> | undefined;
  let isAsking = false;
  const waiting = new Set<(module: Module) => void>();
  const start = async (): Promise<Module> => {
    try {
      current = await load();
    } finally {
      loading = undefined;
    }
    for (const run of waiting) run(current);
    waiting.clear();
    return current;
  };
  const loadOnce = (): Promise<Module> => {
    loading ??= current === undefined ? start() : Promise.resolve(current);
    return loading;
  };
  const ask = (pauseMs: number): void => {
    isAsking = waiting.size > 0;
    if (!isAsking) return;
    const again = (): void => ask(Math.min(2 * pauseMs, lastPauseMs));
    loadOnce().catch(() => setTimeout(again, pauseMs));
  };
  return {
    get current() {
      return current;
    },
    load: loadOnce,
    use: (run) => {
      if (current === undefined) waiting.add(run);
      else run(current);
      if (!isAsking) ask(firstPauseMs);
      return () => void waiting.delete(run);
    },
  };
}
