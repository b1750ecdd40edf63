import { type QueryClient, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useSyncExternalStore } from "react";
import type { TreeNode } from "../api/contract.ts";
import { bootQuery } from "../api/queries.ts";
import type { Level } from "./level-pages.ts";
import { levelKey, levelQuery, treeKey } from "./level-queries.ts";
import { openRows } from "./open-rows.ts";
import { type LevelPlace, placeBelow, placeOf, type Row, rowsOf } from "./rows.ts";
import { useShownPages } from "./use-shown-pages.ts";

type Rows = { readonly rows: readonly Row[]; readonly levelAt: (place: LevelPlace) => Level | undefined };

/** Returns the rows of the sidebar's tree, as far as they are open and loaded. */
export const useRows = (): Rows => useOpenRows(useSyncExternalStore(openRows.subscribe, openRows.read));

/** Returns the rows of a tree of all collections of which these rows are open, as far as they are loaded. */
export function useOpenRows(open: ReadonlySet<string>): Rows {
  const queries = useQueryClient();
  const { data } = useQuery(bootQuery);
  const version = useLevelVersion(queries);
  const levelAt = useCallback((place: LevelPlace) => queries.getQueryData<Level>(levelKey(place)), [queries]);
  const rows = useMemo(() => {
    const collections = data.collections.filter(({ archivedAt }) => archivedAt === null);
    return version < 0 ? [] : rowsOf({ collections, levelAt, isOpen: (key) => open.has(key) });
  }, [data.collections, open, version, levelAt]);
  return { rows, levelAt };
}

/** Returns a number that changes with the documents of any level. */
function useLevelVersion(queries: QueryClient): number {
  const version = useRef(0);
  const subscribe = useCallback(
    (listener: () => void) =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        if (query.queryKey[0] !== treeKey || (type !== "updated" && type !== "removed")) return;
        version.current += 1;
        listener();
      }),
    [queries],
  );
  return useSyncExternalStore(subscribe, () => version.current);
}

const nothing = (): undefined => undefined;

/** Loads the levels of which rows are on the screen, and reads them again when they are out of date. */
export function useShownLevels(shown: readonly Row[]): void {
  const levels = new Map<string, { place: LevelPlace; nodes: TreeNode[] }>();
  const add = (place: LevelPlace | undefined, node?: TreeNode): void => {
    if (place === undefined) return;
    const name = levelKey(place).join();
    const level = levels.get(name) ?? { place, nodes: [] };
    levels.set(name, level);
    if (node !== undefined) level.nodes.push(node);
  };
  for (const row of shown) {
    if (row.kind === "gap") add(row.place, typeof row.missing === "string" ? undefined : row.missing);
    else add(placeOf(row), row.node);
    if (row.kind === "item" && row.isOpen === true) add(placeBelow(row));
  }
  useShownPages([...levels.values()]);
  useQueries({ queries: [...levels.values()].map(({ place }) => levelQuery(place)), combine: nothing });
}
