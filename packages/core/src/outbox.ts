import {
  type ClockRow,
  type Database,
  join,
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

/** A change that is written together with its stamp. */
export type StampedChange = {
  readonly now: Date;
  /** The id of the thing that the change is about, for its audit entry. */
  readonly id: string;
  readonly events: readonly DomainEvent[];
  /** Returns the statement that changes rows; `at` is the time of the stamp. */
  readonly statement: (at: Sql) => Sql;
  /** Whether the operation runs no further statement. The change then commits in the same round trip. */
  readonly isLast: boolean;
};

/** Collects the events and audit entries of one transaction; `withOutbox` writes them at its end. */
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
   * Stamps a change and writes it with its events and its audit entry, as the last statement of its transaction: the team's
   * clock is held only for this statement and the commit, because all other writers of the team wait for it.
   */
  async writeStamped(tx: Tx, { now, id, events, statement, isLast }: StampedChange): Promise<Stamp> {
    const { teamId } = this.#emitter;
    const entry = this.#auditOf({ id });
    const unstamped = { at: now, sequence: 0n };
    const rows = events.map((event, index) => eventRow(this.#emitter, unstamped, event, index));
    const parts = [
      sql`stamp AS (${takeStamp(teamId, now, events.length)})`,
      sql`changed AS (${statement(sql`(SELECT at FROM stamp)`)})`,
      sql`emitted AS (${insertEvents(rows, sql`(SELECT at FROM stamp)`, sql`sequence + (SELECT sequence FROM stamp)`)})`,
      ...(entry === null ? [] : [sql`noted AS (${insertAudit([entry])})`]),
    ];
    const written = sql`WITH ${join(parts)} SELECT at, sequence FROM stamp`;
    const commits = isLast && this.#events.length === 0 && this.#entries.length === 0;
    const stamps = await (commits ? tx.rowsAndCommit<ClockRow>(written) : tx.rows<ClockRow>(written));
    announceChange(tx, this.#emitter);
    return readStamp(stamps);
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

  /** Writes everything that was collected, and the audit entry, in one statement. Announces events after the commit. */
  async write(tx: Tx, output: unknown): Promise<void> {
    const entry = this.#auditOf(output);
    if (entry !== null) this.audit([entry]);
    const hasEvents = this.#events.length > 0;
    if (hasEvents) announceChange(tx, this.#emitter);
    const hasEntries = this.#entries.length > 0;
    if (hasEvents && hasEntries) {
      await tx.execute(sql`WITH emitted AS (${insertEvents(this.#events)}) ${insertAudit(this.#entries)}`);
    } else if (hasEntries) await tx.execute(insertAudit(this.#entries));
    else if (hasEvents) await tx.execute(insertEvents(this.#events));
  }
}

/** Runs a part of a transaction and then writes its events and audit entries: they exist exactly when the change does. */
export async function withOutbox<T>(
  tx: Tx,
  emitter: Emitter,
  run: (outbox: Outbox) => Promise<T>,
  auditOf?: AuditOf,
): Promise<T> {
  const outbox = new Outbox(emitter, auditOf);
  const result = await run(outbox);
  await outbox.write(tx, result);
  return result;
}

/** Opens a transaction with an outbox, for a change outside an operation, such as a job. */
export function transactionWithOutbox<T>(
  database: Database,
  emitter: Emitter,
  run: (tx: Tx, outbox: Outbox) => Promise<T>,
): Promise<T> {
  return database.transaction((tx) => withOutbox(tx, emitter, (outbox) => run(tx, outbox)));
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

function insertEvents(rows: readonly EventRow[], at = sql`at`, sequence = sql`sequence`): Sql {
  return sql`INSERT INTO events ("teamId", id, sequence, type, at, actor, data, "documentId", "collectionId",
      "createdById", "publishedAt", "dispatchedAt")
    SELECT "teamId", id, ${sequence}, type, ${at}, actor, data, "documentId", "collectionId",
      "createdById", "publishedAt", "dispatchedAt"
    FROM jsonb_populate_recordset(NULL::events, ${JSON.stringify(rows)}::jsonb)`;
}
