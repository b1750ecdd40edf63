import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { Tree, TreeLevel } from "../api/contract.ts";
import { withNodes } from "./levels.ts";
import type { LevelPlace } from "./rows.ts";

/** The beginning of the key of every level. */
export const treeKey = "documents.tree";
/** The key of a level. */
export const levelKey = ({ collectionId, parentId }: LevelPlace) => [treeKey, collectionId, parentId] as const;

const staleMs = 30_000;

/** A level of the tree. Read again, it has at least as many rows as before, so that nothing jumps. */
export const levelQuery = ({ collectionId, parentId }: LevelPlace) =>
  queryOptions({
    queryKey: levelKey({ collectionId, parentId }),
    queryFn: async ({ client, queryKey, signal }): Promise<TreeLevel> => {
      const known = client.getQueryData<TreeLevel>(queryKey)?.data.length ?? 0;
      let level = await readPage({ collectionId, parentId }, undefined, signal);
      while (level.nextCursor !== null && level.data.length < known) {
        const page = await readPage({ collectionId, parentId }, level.nextCursor, signal);
        level = withNodes(level, page.data, page.nextCursor);
      }
      return level;
    },
    staleTime: staleMs,
  });

async function readPage(place: LevelPlace, cursor: string | undefined, signal?: AbortSignal): Promise<TreeLevel> {
  const { levels } = await call("documents.tree", { ...place, cursor }, { signal });
  return levels[0] ?? { parentId: place.parentId, data: [], nextCursor: null };
}

const loading = new Set<string>();

/** Loads the next documents of a level. Several calls at once load them once. */
export async function loadMore(queries: QueryClient, place: LevelPlace): Promise<void> {
  const key = levelKey(place);
  const level = queries.getQueryData<TreeLevel>(key);
  const name = key.join();
  if (level === undefined || level.nextCursor === null || loading.has(name)) return;
  loading.add(name);
  try {
    const page = await readPage(place, level.nextCursor);
    queries.setQueryData<TreeLevel>(key, (known) => known && withNodes(known, page.data, page.nextCursor));
  } finally {
    loading.delete(name);
  }
}

/** Keeps the levels of a tree that is open at a document. The document stands in its level, even beyond its first page. */
export function keepTree(queries: QueryClient, { collectionId, path, levels }: Tree): void {
  if (collectionId === null) return;
  for (const level of levels) {
    const onPath = path.filter(({ parentId }) => parentId === level.parentId);
    const key = levelKey({ collectionId, parentId: level.parentId });
    queries.setQueryData<TreeLevel>(key, (known) =>
      known !== undefined && known.data.length > level.data.length
        ? withNodes(known, [...level.data, ...onPath])
        : withNodes(level, onPath),
    );
  }
}
