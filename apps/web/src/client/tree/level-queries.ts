import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { Tree, TreeLevel } from "../api/contract.ts";
import { queryKeys } from "../api/query-keys.ts";
import { connectionStore } from "../app/connection.ts";
import {
  isBehindRest,
  type Level,
  type LevelPage,
  type PageStart,
  pageAt,
  restOf,
  withPage,
  withState,
} from "./level-pages.ts";
import { withNodes, withoutNode } from "./levels.ts";
import type { LevelPlace } from "./rows.ts";
import { shownPages } from "./shown-pages.ts";

/** The beginning of the key of every level. */
export const treeKey = "documents.tree";
/** The key of a level. */
export const levelKey = ({ collectionId, parentId }: LevelPlace) => queryKeys.level(collectionId, parentId);

const staleMs = 30_000;

/** A level of the tree. Read again, only the pages on the screen are; the others are once they come onto it. */
export const levelQuery = ({ collectionId, parentId }: LevelPlace) =>
  queryOptions({
    queryKey: levelKey({ collectionId, parentId }),
    queryFn: async ({ client, queryKey, signal }): Promise<Level> => {
      const place = { collectionId, parentId };
      const known = client.getQueryData<Level>(queryKey);
      if (known === undefined) return readPage(place, undefined, signal);
      const shown = shownPages(known, place);
      const starts = shown.length === 0 ? [{ cursor: undefined, after: undefined }] : shown;
      const pages = await Promise.all(
        starts.map(async (start) => ({ start, page: await readPage(place, start.cursor, signal) })),
      );
      // Further pages may have been loaded meanwhile.
      const latest = client.getQueryData<Level>(queryKey) ?? known;
      const stale = withState(latest, "stale", ({ state }) => state === "fresh");
      return pages.reduce((level, { start, page }) => withPage(level, start, page), stale);
    },
    staleTime: staleMs,
  });

async function readPage(place: LevelPlace, cursor: string | undefined, signal?: AbortSignal): Promise<TreeLevel> {
  const { levels } = await call("documents.tree", { ...place, cursor }, { signal });
  return levels[0] ?? { parentId: place.parentId, data: [], nextCursor: null };
}

const loading = new Set<string>();
/** The pause after a page could not be read again: it is out of date meanwhile, and asked for by each render otherwise. */
const pauseMs = 10_000;
const failedAt = new Map<string, number>();

/** Loads the next documents of a level. Several calls at once load them once. */
export async function loadMore(queries: QueryClient, place: LevelPlace): Promise<void> {
  const level = queries.getQueryData<Level>(levelKey(place));
  const rest = level && restOf(level);
  if (rest !== undefined) await loadPage(queries, place, rest);
}

/** Reads the pages of a level again that are on the screen and out of date. */
export async function refreshPages(queries: QueryClient, place: LevelPlace): Promise<void> {
  const key = levelKey(place);
  const level = queries.getQueryData<Level>(key);
  if (level?.pages === undefined || queries.isFetching({ queryKey: key, exact: true }) > 0) return;
  const isPaused = ({ cursor }: LevelPage): boolean =>
    performance.now() - (failedAt.get(nameOf(place, cursor)) ?? Number.NEGATIVE_INFINITY) < pauseMs;
  const due = shownPages(level, place).filter((page) => page.state !== "fresh" && !isPaused(page));
  await Promise.all(due.map((page) => loadPage(queries, place, page)));
}

const nameOf = (place: LevelPlace, cursor: string | undefined): string => [...levelKey(place), cursor].join();

async function loadPage(queries: QueryClient, place: LevelPlace, start: PageStart): Promise<void> {
  const name = nameOf(place, start.cursor);
  if (loading.has(name)) return;
  loading.add(name);
  try {
    const page = await readPage(place, start.cursor);
    failedAt.delete(name);
    queries.setQueryData<Level>(levelKey(place), (known) => known && withPage(known, start, page));
  } catch (error) {
    // An outage or a limit has its own wait, which the connection knows.
    if (connectionStore.read().kind === "connected") failedAt.set(name, performance.now());
    throw error;
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
    queries.setQueryData<Level>(key, (known) =>
      known !== undefined && known.data.length > level.data.length
        ? withNodes({ ...known, end: restOf(known)?.after }, [...level.data, ...onPath])
        : withNodes({ ...level, end: restOf(level)?.after }, onPath),
    );
  }
}

/** Shows no page any more that is not on the screen before it is read again, because access may have changed. */
export function hideUnseenPages(queries: QueryClient): void {
  forgetBehindRest(queries, () => true);
  eachLevel(queries, (level, seen) => withState(level, "hidden", (page) => !seen.includes(page)));
}

/**
 * Takes documents out of the tree that stand behind the loaded part of their level: no page that is read again has them. The
 * page of a document opens the tree at it again.
 */
export function forgetBehindRest(queries: QueryClient, isMeant: (id: string) => boolean): void {
  for (const [key, level] of queries.getQueriesData<Level>({ queryKey: [treeKey] })) {
    const gone = level?.data.filter((node) => isMeant(node.id) && isBehindRest(level, node)) ?? [];
    if (level === undefined || gone.length === 0) continue;
    const ids = new Set(gone.map(({ id }) => id));
    const end = restOf(level)?.after;
    queries.setQueryData<Level>(key, { ...level, end, data: level.data.filter(({ id }) => !ids.has(id)) });
    for (const listener of forgettingListeners) listener();
  }
}

const forgettingListeners = new Set<() => void>();

/** Calls a function after rows behind the loaded part of a level were taken out. Returns a function that ends it. */
export function onRowsForgotten(listener: () => void): () => void {
  forgettingListeners.add(listener);
  return () => forgettingListeners.delete(listener);
}

/** Takes a document that may have gone out of all pages that are not on the screen; those on it are read again. */
export function forgetUnseen(queries: QueryClient, id: string): void {
  eachLevel(queries, (level, seen) => {
    const node = level.data.find((each) => each.id === id);
    return node === undefined || seen.includes(pageAt(level, node)) ? level : withoutNode(level, id);
  });
}

function eachLevel(queries: QueryClient, change: (level: Level, seen: readonly LevelPage[]) => Level): void {
  for (const [key, level] of queries.getQueriesData<Level>({ queryKey: [treeKey] })) {
    const [, collectionId, parentId] = key;
    // A level of one page is read again as a whole.
    if (level?.pages === undefined || typeof collectionId !== "string") continue;
    const place = { collectionId, parentId: typeof parentId === "string" ? parentId : null };
    queries.setQueryData<Level>(key, change(level, shownPages(level, place)));
  }
}
