import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { StarredDocument, View } from "../api/contract.ts";
import { boot } from "../app/boot.ts";

/** The documents that the user has starred. The page brings them along. */
export const starsQuery = queryOptions({
  queryKey: ["stars.list"],
  queryFn: ({ signal }) => call("stars.list", {}, { signal }),
  initialData: () => boot().stars,
  staleTime: 60_000,
});

const none: readonly StarredDocument[] = [];

/**
 * Returns the documents that the user has starred. A refusal removes them, also those that the page brought along: somebody
 * else has logged in, for example.
 */
export function useStars(): readonly StarredDocument[] {
  const stars: readonly StarredDocument[] | undefined = useQuery(starsQuery).data;
  return stars ?? none;
}

/** Stars a document or takes its star away. It shows at once, and is taken back if the service refuses. */
export async function setStar(queries: QueryClient, id: string, isStarred: boolean): Promise<void> {
  const show = (shown: boolean): void => {
    queries.setQueryData<View>(["documents.view", id], (view) => view && { ...view, starred: shown });
  };
  const before = queries.getQueryData<StarredDocument[]>(starsQuery.queryKey);
  show(isStarred);
  if (!isStarred) {
    queries.setQueryData<StarredDocument[]>(starsQuery.queryKey, (stars) => stars?.filter((star) => star.id !== id));
  }
  try {
    await call(isStarred ? "stars.create" : "stars.delete", { id });
  } catch (error) {
    show(!isStarred);
    queries.setQueryData(starsQuery.queryKey, before);
    throw error;
  } finally {
    void queries.invalidateQueries({ queryKey: starsQuery.queryKey });
  }
}
