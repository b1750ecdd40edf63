import { AsyncLocalStorage } from "node:async_hooks";

const reserving = new AsyncLocalStorage<true>();

/** Runs work that may use the reserved connections of a pool while all others are in use, with everything that it awaits. */
export function withReservedConnections<T>(run: () => Promise<T>): Promise<T> {
  // Awaited inside, because a query of a model only starts when it is awaited.
  return reserving.run(true, async () => await run());
}

/** Tells whether the running code may use the reserved connections. */
export const mayUseReserved = (): boolean => reserving.getStore() === true;
