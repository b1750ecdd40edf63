import { type Database, DatabaseUnavailableError } from "@kb/db";
import { startSharedWork } from "@kb/telemetry";
import { type AuditRecord, insertAudit } from "./entry.ts";

/** At most this many entries wait. Further entries are only counted, and the count is written. */
const maxWaiting = 10_000;
const batchSize = 500;
/** Entries are written after at most this time. It is also the interval of retries when the database is away. */
const flushEveryMs = 1_000;

/**
 * Entries about calls that changed nothing: refusals and failed logins. They are written in batches after the response,
 * so that no response takes longer for being recorded, and response times reveal nothing.
 */
class AuditQueue {
  readonly #database: Database;
  #waiting: AuditRecord[] = [];
  /** The last entry of each team that was dropped, and the number of dropped entries. */
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

  /** Writes all waiting entries. Entries that cannot be written wait for the next attempt. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = startSharedWork(() => this.#writing.then(() => this.#write()));
    return this.#writing;
  }

  #drop(record: AuditRecord): void {
    const { count = 0 } = this.#dropped.get(record.teamId) ?? {};
    this.#dropped.set(record.teamId, { last: record, count: count + 1 });
  }

  async #write(): Promise<void> {
    try {
      let size = batchSize;
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, size);
        const isWritten = await this.#writeBatch(batch);
        if (!isWritten && batch.length > 1) {
          // The half with the rejected entry becomes smaller each time, so the others are written.
          size = Math.ceil(batch.length / 2);
          continue;
        }
        if (!isWritten) for (const record of batch) this.#drop(record);
        this.#waiting = this.#waiting.slice(batch.length);
        size = Math.min(size * 2, batchSize);
      }
      await this.#writeDropped();
    } catch {
      // The database is away, which its health check and all other requests report; try again later.
      this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
    }
  }

  /** Returns false for a batch that the database rejects, because it would reject it every time. */
  async #writeBatch(batch: readonly AuditRecord[]): Promise<boolean> {
    try {
      await this.#database.execute(insertAudit(batch));
      return true;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      return false;
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

/** Queues an entry about a call that changed nothing. It is written within a second, or by `database.close()`. */
export function queueAudit({ database }: { readonly database: Database }, record: AuditRecord): void {
  queueOf(database).push(record);
}

/** Writes the waiting entries now. */
export function flushAudit({ database }: { readonly database: Database }): Promise<void> {
  return queueOf(database).flush();
}
