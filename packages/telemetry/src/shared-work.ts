import { AsyncLocalStorage } from "node:async_hooks";

const outsideOfRequests = AsyncLocalStorage.snapshot();

/**
 * Starts work that serves several callers, such as a reader of a feed or a queue of writes, outside of the request that happens
 * to start it: it is no cost of that request's caller, belongs to no trace of theirs, and has none of their privileges.
 */
export const startSharedWork = <T>(start: () => T): T => outsideOfRequests(start);
