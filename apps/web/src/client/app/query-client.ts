import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Failure } from "../api/failure.ts";
import { viewQuery } from "../api/queries.ts";
import { boot } from "./boot.ts";
import { onReturn } from "./connection.ts";

const mostRetries = 3;
const longestPauseMs = 10_000;

/**
 * Creates the cache of answers. An outage or a limit is waited for: a short one within the query, a longer one by the query
 * failing and being read again once the service is back. A refusal stays a refusal.
 */
export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Removes data from the memory and the screen that the reader may not see any more.
        if (isGone(error)) query.setState({ ...query.state, data: undefined });
      },
    }),
    defaultOptions: {
      queries: {
        retry: (count, error) => count < mostRetries && isPassing(error) && (waitMs(error) ?? 0) <= longestPauseMs,
        retryDelay: (count, error) => waitMs(error) ?? Math.min(longestPauseMs, 500 * 2 ** count),
        refetchOnWindowFocus: true,
      },
    },
  });
  // The page brings along what it shows, so that its screen needs no request.
  const { document: shown, answers = [] } = boot();
  if (shown !== undefined) queries.setQueryData(viewQuery(shown.document.id).queryKey, shown);
  for (const [key, answer] of answers) queries.setQueryData(key, answer);
  return queries;
}

const isGone = (error: Error): boolean => error instanceof Failure && (error.status === 404 || error.status === 403);

/** Reads everything on the screen again that failed by an outage or a limit, once the service is back. */
export function resumeOnReturn(queries: QueryClient): void {
  onReturn(() => {
    const failed = ({ state: { error } }: { state: { error: Error | null } }): boolean =>
      error !== null && isPassing(error);
    void queries.refetchQueries({ type: "active", predicate: failed });
  });
}

/** Returns whether a failure passes by itself: no network, a limit, an outage. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Returns the wait that the service named, in milliseconds. */
function waitMs(error: Error): number | undefined {
  const seconds = error instanceof Failure ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? undefined : 1_000 * seconds;
}
