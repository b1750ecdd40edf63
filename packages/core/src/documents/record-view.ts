import type { Actor } from "@kb/auth";
import { type Database, type Sql, sql } from "@kb/db";
import { startSharedWork } from "@kb/telemetry";
import { LRUCache } from "lru-cache";

/** A user and a document is written at most once in this time. */
const everyMs = 5 * 60_000;
/** Views are written after at most this time, together. */
const flushEveryMs = 1_000;
/** Views that wait while the database is away; further ones are dropped: the list of recent documents is a convenience. */
const maxWaiting = 10_000;

type View = { readonly teamId: string; readonly userId: string; readonly documentId: string; readonly at: Date };

/** Views that wait to be written, so that opening a document waits for no write. */
class ViewQueue {
  readonly #database: Database;
  readonly #recorded = new LRUCache<string, number>({ max: 50_000 });
  readonly #waiting = new Map<string, View>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
    database.beforeClose(() => this.flush());
  }

  push(view: View): void {
    const key = `${view.teamId} ${view.userId} ${view.documentId}`;
    const before = this.#recorded.get(key);
    if (before !== undefined && view.at.getTime() - before < everyMs) return;
    if (this.#waiting.size >= maxWaiting) return;
    this.#recorded.set(key, view.at.getTime());
    this.#waiting.set(key, view);
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }

  /** Writes all waiting views. Views that cannot be written are dropped. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = startSharedWork(() => this.#writing.then(() => this.#write()).catch(() => {}));
    return this.#writing;
  }

  async #write(): Promise<void> {
    const views = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const [teamId, own] of Map.groupBy(views, (view) => view.teamId)) {
      await this.#database.execute(upsertViews(teamId, own));
    }
  }
}

/** A document or a user that is deleted meanwhile is skipped. Another process may have written the same view. */
function upsertViews(teamId: string, views: readonly View[]): Sql {
  const ids = (of: "userId" | "documentId") => views.map((view) => view[of]);
  return sql`INSERT INTO document_views ("teamId", "userId", "documentId", "viewedAt")
    SELECT ${teamId}::uuid, u.id, d.id, v.at
    FROM unnest(${ids("userId")}::uuid[], ${ids("documentId")}::uuid[], ${views.map(({ at }) => at.toISOString())}::timestamptz[])
      AS v("userId", "documentId", at)
    JOIN users u ON u."teamId" = ${teamId}::uuid AND u.id = v."userId"
    JOIN documents d ON d."teamId" = ${teamId}::uuid AND d.id = v."documentId"
    ON CONFLICT ("teamId", "userId", "documentId") DO UPDATE SET "viewedAt" = EXCLUDED."viewedAt"
      WHERE document_views."viewedAt" <= EXCLUDED."viewedAt" - ${everyMs} * interval '1 ms'`;
}

const queues = new WeakMap<Database, ViewQueue>();

function queueOf(database: Database): ViewQueue {
  const known = queues.get(database);
  if (known !== undefined) return known;
  const queue = new ViewQueue(database);
  queues.set(database, queue);
  return queue;
}

/** Records that a user opened a document: within a second, after the response, and at most once in five minutes. */
export function recordView(database: Database, { teamId, userId }: Actor, documentId: string, at: Date): void {
  queueOf(database).push({ teamId, userId, documentId, at });
}

/** Writes the waiting views now. */
export const flushViews = (database: Database): Promise<void> => queueOf(database).flush();
