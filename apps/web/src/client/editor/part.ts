/** A module of the editor that is not in its first files. */
export type Part<Module> = {
  /** The module, once it is loaded. */
  readonly current: Module | undefined;
  /** Loads the module. One that did not come is asked for again by the next call. */
  readonly load: () => Promise<Module>;
};

/** Returns a part of the editor that loads when it is first needed. */
export function part<Module>(load: () => Promise<Module>): Part<Module> {
  let current: Module | undefined;
  let loading: Promise<Module> | undefined;
  const start = async (): Promise<Module> => {
    try {
      current = await load();
      return current;
    } finally {
      loading = undefined;
    }
  };
  return {
    get current() {
      return current;
    },
    load: () => {
      loading ??= current === undefined ? start() : Promise.resolve(current);
      return loading;
    },
  };
}
