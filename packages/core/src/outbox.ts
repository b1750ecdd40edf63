import {
  type ClockRow,
  type Database,
  join,
  LastStatement,
  lastStatement,
  newId,
  readStamp,
  type Sql,
  type Stamp,
  sql,
  type Tx,
  takeStamp,
} from "@kb/db";
import { type AuditRecord, insertAudit } from "./audit/entry.ts";
import { changeChannel } from "./changes/channel.ts";
import { requireEventData } from "./changes/event-types.ts";
import type { DomainEvent, Emitter } from "./events.ts";
import { type Answer, FinalChange } from "./final-change.ts";

/** A row of `events`, as JSON writes it. */
type EventRow = {
  readonly teamId: string;
  readonly id: string;
  readonly sequence: string;
  readonly type: string;
  readonly at: Date;
  readonly actor: object;
  readonly data: object;
  readonly documentId: string | null;
  readonly collectionId: string | null;
  readonly createdById: string | null;
  readonly publishedAt: Date | null;
  readonly dispatchedAt: Date | null;
};

/** Returns the audit entry of a change by its output; null if it has none, or has been written already. */
type AuditOf = (output: unknown) => AuditRecord | null;

/** Collects the events and audit entries of one transaction and writes them at its end. */
export class Outbox {
  readonly #emitter: Emitter;
  readonly #auditOf: AuditOf;
  readonly #events: EventRow[] = [];
  readonly #entries: AuditRecord[] = [];

  constructor(emitter: Emitter, auditOf: AuditOf = () => null) {
    this.#emitter = emitter;
    this.#auditOf = auditOf;
  }

  /**
   * Collects events. The i-th event takes the i-th sequence number of the stamp.
   * @throws {Error} if the data of an event does not match the schema of its type
   */
  emit(stamp: Stamp, events: readonly DomainEvent[]): void {
    for (const [index, event] of events.entries()) this.#events.push(eventRow(this.#emitter, stamp, event, index));
  }

  /** Collects entries of the audit log. */
  audit(entries: readonly AuditRecord[]): void {
    this.#entries.push(...entries);
  }

  /**
   * Returns the end of the transaction: the statement that writes everything that was collected, a final change with its stamp
   * and the audit entry; or the result, if nothing is left to write. Announces events after the commit.
   */
  async end<T>(tx: Tx, answer: Answer<T>): Promise<T | LastStatement<T>> {
    if (answer instanceof FinalChange) return this.#writeStamped(tx, answer);
    const entry = this.#auditOf(answer);
    if (entry !== null) this.audit([entry]);
    const hasEvents = this.#events.length > 0;
    const hasEntries = this.#entries.length > 0;
    if (!hasEvents && !hasEntries) return answer;
    if (hasEvents) announceChange(tx, this.#emitter);
    return lastStatement(this.#insertCollected(hasEvents, hasEntries), () => answer);
  }

  #insertCollected(hasEvents: boolean, hasEntries: boolean): Sql {
    if (!hasEvents) return insertAudit(this.#entries);
    if (!hasEntries) return insertEvents(this.#events);
    return sql`WITH emitted AS (${insertEvents(this.#events)}) ${insertAudit(this.#entries)}`;
  }

  /**
   * The team's clock is held only for the last statement and the commit, unless the change is checked between the two. Entries of
   * the audit log need no stamp: they are written before it, in the same round trip.
   */
  async #writeStamped<T>(tx: Tx, { change, answer }: FinalChange<T>): Promise<T | LastStatement<T>> {
    const { now, id, events, statement, check, unlocks } = change;
    const { teamId } = this.#emitter;
    const entry = this.#auditOf({ id });
    const entries = entry === null ? this.#entries : [...this.#entries, entry];
    const unstamped = { at: now, sequence: 0n };
    const rows = events.map((event, index) => eventRow(this.#emitter, unstamped, event, index));
    const parts = [
      sql`stamp AS (${takeStamp(teamId, now, events.length)})`,
      sql`changed AS (${statement(sql`(SELECT at FROM stamp)`)})`,
      sql`emitted AS (${insertEvents(rows, sql`(SELECT at FROM stamp)`, sql`sequence + (SELECT sequence FROM stamp)`)})`,
      ...(this.#events.length === 0 ? [] : [sql`collected AS (${insertEvents(this.#events)})`]),
    ];
    if (entries.length > 0) tx.executeWithNext(insertAudit(entries));
    announceChange(tx, this.#emitter);
    const last = lastStatement<ClockRow, T>(
      sql`WITH ${join(parts)} SELECT at, sequence FROM stamp`,
      (stamps) => {
        const { at } = readStamp(stamps);
        tx.noteStamp(teamId, at);
        return answer(at);
      },
      unlocks,
    );
    if (check === undefined) return last;
    const result = await last.runBy(tx.rows);
    await check();
    return result;
  }
}

/**
 * Runs the work of a whole transaction and returns its end, for the function of `Database.transaction`: its events and audit
 * entries exist exactly when the change does.
 */
export async function endWithOutbox<T>(
  tx: Tx,
  emitter: Emitter,
  run: (outbox: Outbox) => Promise<Answer<T>>,
  auditOf?: AuditOf,
): Promise<T | LastStatement<T>> {
  const outbox = new Outbox(emitter, auditOf);
  return outbox.end(tx, await run(outbox));
}

/** Runs a part of a transaction and writes its events and audit entries at once. */
export async function withOutbox<T>(tx: Tx, emitter: Emitter, run: (outbox: Outbox) => Promise<T>): Promise<T> {
  return written(tx, await endWithOutbox<T>(tx, emitter, run));
}

/** Returns the result of a part of a transaction that continues, and writes what it needs first. */
export async function written<T>(tx: Tx, end: T | LastStatement<T>): Promise<T> {
  return end instanceof LastStatement ? end.runBy(tx.rows) : end;
}

/** Opens a transaction with an outbox, for a change outside an operation, such as a job. */
export function transactionWithOutbox<T>(
  database: Database,
  emitter: Emitter,
  run: (tx: Tx, outbox: Outbox) => Promise<Answer<T>>,
): Promise<T> {
  return database.transaction((tx) => endWithOutbox<T>(tx, emitter, (outbox) => run(tx, outbox)));
}

/**
 * Writes an event that has its delivery already, and returns its id. It does not wait for the end of the transaction,
 * because the delivery refers to it.
 */
export async function writeDispatchedEvent(
  tx: Tx,
  emitter: Emitter,
  stamp: Stamp,
  event: DomainEvent,
): Promise<string> {
  const row = { ...eventRow(emitter, stamp, event, 0), dispatchedAt: stamp.at };
  await tx.execute(insertEvents([row]));
  announceChange(tx, emitter);
  return row.id;
}

const announceChange = (tx: Tx, { teamId }: Emitter): void => tx.announce({ channel: changeChannel, payload: teamId });

function eventRow(emitter: Emitter, stamp: Stamp, event: DomainEvent, index: number): EventRow {
  return {
    teamId: emitter.teamId,
    id: newId(),
    sequence: String(stamp.sequence + BigInt(index)),
    type: event.type,
    at: stamp.at,
    actor: actorOf(emitter),
    data: requireEventData(event),
    documentId: event.documentId ?? null,
    collectionId: event.collectionId ?? null,
    createdById: event.createdById ?? null,
    publishedAt: event.publishedAt ?? null,
    dispatchedAt: null,
  };
}

const actorTypes = { api_key: "api_key", oauth: "app", session: "user", system: "system" } as const;

/** Returns the `actor` of an event: the user for a session, otherwise the credential. */
function actorOf({ credential, userId, userName }: Emitter) {
  if (credential.kind === "session") return { type: "user", id: userId, name: userName };
  return { type: actorTypes[credential.kind], id: credential.id, name: credential.name };
}

/**
 * Returns the statement that inserts the events of a team. Its snapshot may be older than its wait for the team's clock, so it
 * decides nothing by other tables: a webhook that was created meanwhile must receive the event.
 */
function insertEvents(rows: readonly EventRow[], at = sql`at`, sequence = sql`sequence`): Sql {
  return sql`INSERT INTO events ("teamId", id, sequence, type, at, actor, data, "documentId", "collectionId",
      "createdById", "publishedAt", "dispatchedAt")
    SELECT "teamId", id, ${sequence}, type, ${at}, actor, data, "documentId", "collectionId", "createdById", "publishedAt",
      "dispatchedAt"
    FROM jsonb_populate_recordset(NULL::events, ${JSON.stringify(rows)}::jsonb)`;
}
