import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { boot } from "../app/boot.ts";
import { whenAnswering } from "../app/connection.ts";
import { beginWork } from "../app/settled.ts";
import { forgetBehindRest, forgetUnseen, hideUnseenPages, treeKey } from "../tree/level-queries.ts";
import { type ChangeEvent, VisibleChangeStream } from "./change-stream.ts";
import { bootQuery } from "./queries.ts";
import { announceRefresh } from "./refreshes.ts";

/** The pause before the first refresh: changes of one moment are read together. */
const firstPauseMs = 100;
/** The pause between two refreshes: a change is on the screen within a second. */
const nextPauseMs = 700;
/** The pause while changes keep coming, so that a busy team does not use up the reader's requests. */
const busyPauseMs = 2_000;
/** Changes keep coming after this many refreshes within this time. */
const busyRefreshes = 8;
const busyMs = 10_000;
/** The pause where a reader may have lost access: within a second nothing of it is left. */
const urgentPauseMs = 500;

/** Queries that any change of a document may concern: lists, the trees and the counts of collections. */
const listsOfDocuments = [
  "app.boot",
  "documents.tree",
  "documents.list",
  "documents.recent",
  "documents.backlinks",
  "stars.list",
  "tags.list",
];

/** The query of one state in the history of a document. */
const revisionName = "documents.revisions.view";

/** Queries that find documents: their hits are read again only if one of them may not be shown any more. */
const findings = ["documents.search", "documents.suggest"];

/** Events after which a reader may not see the document any more, or not where it was. */
const departures = new Set(["moved", "unpublished", "archived", "deleted", "destroyed"]);

type Refresh = {
  readonly everything: boolean;
  readonly names: Set<string>;
  readonly documents: Set<string>;
  readonly departed: Set<string>;
};

/**
 * Reads everything that is on the screen again after it changed in the service, whoever changed it. Searches are left as
 * they are, because hits that move would be in the reader's way.
 */
export function keepCurrent(queries: QueryClient, onConnection: (isConnected: boolean) => void): void {
  let waiting: Refresh | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The times of the latest refreshes, the last one at the end. */
  let refreshedAt: readonly number[] = [];
  const refresh = (): void => {
    const due = waiting;
    waiting = undefined;
    refreshedAt = [...refreshedAt, performance.now()].slice(-busyRefreshes);
    endWork();
    if (due === undefined) return;
    if (due.everything) hideUnseenPages(queries);
    for (const id of due.departed) forgetUnseen(queries, id);
    forgetBehindRest(queries, (id) => due.documents.has(id));
    if (isAboutAccess(due)) forgetInactive(queries);
    whenAnswering(() => {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isDue(due, queryKey) });
      announceRefresh();
    });
  };
  let endWork = (): void => {};
  const plan = (add: (refresh: Refresh) => Refresh): void => {
    const isFirst = waiting === undefined;
    const wasUrgent = waiting !== undefined && isAboutAccess(waiting);
    waiting = add(waiting ?? { everything: false, names: new Set(), documents: new Set(), departed: new Set() });
    const isUrgent = isAboutAccess(waiting);
    if (isFirst) endWork = beginWork();
    else if (!isUrgent || wasUrgent) return;
    clearTimeout(timer);
    const pauseMs = isUrgent ? urgentPauseMs : isBusy(refreshedAt) ? busyPauseMs : nextPauseMs;
    const nextAt = (refreshedAt.at(-1) ?? Number.NEGATIVE_INFINITY) + pauseMs;
    timer = setTimeout(refresh, Math.max(firstPauseMs, nextAt - performance.now()));
  };
  const { lastEventId, scope } = boot().app;
  const handlers = {
    change: (event: ChangeEvent) => plan((refresh) => withEvent(refresh, event)),
    reset: () => plan((refresh) => ({ ...refresh, everything: true })),
    connected: onConnection,
    // The stream itself cannot say why: the session may have ended, or the service has a limit.
    refused: () => void queries.refetchQueries({ queryKey: bootQuery.queryKey }),
  };
  new VisibleChangeStream({ lastEventId, scope }, handlers).start();
}

/**
 * Forgets the answers that are not on the screen: when they come onto it, they would show for a moment what the reader lost. One
 * that a screen still waits for is read once more after it came, because the wait for a forgotten one fails.
 */
function forgetInactive(queries: QueryClient): void {
  const cache = queries.getQueryCache();
  const isForgotten = ({ queryKey: [name] }: { readonly queryKey: QueryKey }): boolean => name !== treeKey;
  for (const query of cache.findAll({ type: "inactive", predicate: isForgotten })) {
    const { fetchStatus, data } = query.state;
    if (fetchStatus === "idle" || data !== undefined) {
      cache.remove(query);
      continue;
    }
    const again = (): unknown => queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    query.promise?.then(again, () => undefined);
  }
}

/** Returns whether the latest refreshes followed each other closely. */
const isBusy = (refreshedAt: readonly number[]): boolean =>
  refreshedAt.length === busyRefreshes && performance.now() - (refreshedAt[0] ?? 0) < busyMs;

function withEvent(refresh: Refresh, { type, data }: ChangeEvent): Refresh {
  const [kind, what = ""] = type.split(".");
  if (kind === "collection") return { ...refresh, everything: true };
  if (kind === "document" || kind === "tag") for (const name of listsOfDocuments) refresh.names.add(name);
  if (kind === "tag") refresh.names.add("documents.view");
  if (kind === "attachment") refresh.names.add("attachments.list");
  if (kind === "document") refresh.documents.add(data.id);
  if (kind === "document" && departures.has(what)) {
    refresh.departed.add(data.id);
    for (const name of findings) refresh.names.add(name);
  }
  return refresh;
}

/** Returns whether a reader may have lost access to something; sets of a refresh only grow, so it stays so. */
const isAboutAccess = ({ everything, departed }: Refresh): boolean => everything || departed.size > 0;

/**
 * Returns whether a query is read again. A state in the history stays as it was opened while its document changes: that of a run which goes
 * on is replaced by a later one, and its page would say that it does not exist.
 */
function isDue({ everything, names, documents, departed }: Refresh, [name, id]: QueryKey): boolean {
  if (everything) return true;
  return names.has(String(name)) || (name === revisionName ? departed : documents).has(String(id));
}
