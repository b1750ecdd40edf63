import { type Database, DatabaseUnavailableError } from "@kb/db";
import { type AuditRecord, insertAudit } from "./entry.ts";

/** Entries that wait at most; what comes then is counted, and the count is written. */
const maxWaiting = 10_000;
const batchSize = 500;
/** What waits is written at the latest after so long, in milliseconds; again after as long where the database is away. */
const flushEveryMs = 1_000;

/**
 * Entries about what changed nothing: refusals and failed log-ins. They are written in batches behind the answers, so that
 * no answer takes longer for being noted, and nobody can tell by the time what was noted.
 */
class AuditQueue {
  readonly #database: Database;
  #waiting: AuditRecord[] = [];
  /** The last entry of each team that there was no room for, and how many there were. */
  readonly #dropped = new Map<string, { last: AuditRecord; count: number }>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
    database.beforeClose(() => this.flush());
  }

  push(record: AuditRecord): void {
    if (this.#waiting.length >= maxWaiting) this.#drop(record);
    else this.#waiting.push(record);
    this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
  }

  /** Writes all that waits; what cannot be written stays for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #drop(record: AuditRecord): void {
    const { count = 0 } = this.#dropped.get(record.teamId) ?? {};
    this.#dropped.set(record.teamId, { last: record, count: count + 1 });
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, batchSize);
        await this.#writeBatch(batch);
        this.#waiting = this.#waiting.slice(batch.length);
      }
      await this.#writeDropped();
    } catch {
      // The database is away, as its health check and every other request say too: what waits is tried again.
      this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
    }
  }

  /** A batch that the database refuses would be refused for ever. */
  async #writeBatch(batch: readonly AuditRecord[]): Promise<void> {
    try {
      await this.#database.execute(insertAudit(batch));
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      for (const record of batch) this.#drop(record);
    }
  }

  async #writeDropped(): Promise<void> {
    if (this.#dropped.size === 0) return;
    const records = [...this.#dropped].map(([teamId, { last, count }]): AuditRecord => {
      const details = { entries: count };
      return {
        teamId,
        at: last.at,
        userId: null,
        credential: null,
        action: "audit.dropped",
        outcome: "failed",
        details,
      };
    });
    await this.#database.execute(insertAudit(records));
    this.#dropped.clear();
  }
}

const queues = new WeakMap<Database, AuditQueue>();

function queueOf(database: Database): AuditQueue {
  const known = queues.get(database);
  if (known !== undefined) return known;
  const queue = new AuditQueue(database);
  queues.set(database, queue);
  return queue;
}

/** Notes what changed nothing: a refusal, a failed log-in. It is written within a second, at the latest by `database.close()`. */
export function queueAudit({ database }: { readonly database: Database }, record: AuditRecord): void {
  queueOf(database).push(record);
}

/** Writes what waits now. */
export function flushAudit({ database }: { readonly database: Database }): Promise<void> {
  return queueOf(database).flush();
}
