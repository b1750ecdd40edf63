import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { onReturn } from "../app/connection.ts";
import { loadMore } from "./level-queries.ts";
import type { LevelPlace } from "./rows.ts";

/**
 * Loads the documents of a level behind those that are known, while `isWanted`. Returns whether that failed, and what tries
 * again.
 */
export function useRest(
  place: LevelPlace,
  known: number,
  isWanted: boolean,
): { readonly isFailed: boolean; readonly load: () => void } {
  const queries = useQueryClient();
  const [isFailed, setFailed] = useState(false);
  const load = (): void => {
    setFailed(false);
    loadMore(queries, place).catch(() => setFailed(true));
  };
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted, place.collectionId, place.parentId, known]);
  useEffect(() => (isFailed ? onReturn(load) : undefined));
  return { isFailed, load };
}
