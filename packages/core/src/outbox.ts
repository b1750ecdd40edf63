import { type Sql, sql, type Tx } from "@kb/db";
import { type AuditRecord, insertAudit } from "./audit/entry.ts";

/** A row of `events`, as JSON writes it. */
export type EventRow = {
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

/** The events of the changes that run now, until they are written with the entry in the audit log. */
const held = new WeakMap<Tx, EventRow[]>();

/** The statement that writes events. */
export function insertEvents(rows: readonly EventRow[]): Sql {
  return sql`INSERT INTO events ("teamId", id, sequence, type, at, actor, data, "documentId", "collectionId",
      "createdById", "publishedAt", "dispatchedAt")
    SELECT "teamId", id, sequence, type, at, actor, data, "documentId", "collectionId",
      "createdById", "publishedAt", "dispatchedAt"
    FROM jsonb_populate_recordset(NULL::events, ${JSON.stringify(rows)}::jsonb)`;
}

/** Keeps events for the end of the change that runs in the transaction; false where none does. */
export function holdEvents(tx: Tx, rows: readonly EventRow[]): boolean {
  const waiting = held.get(tx);
  waiting?.push(...rows);
  return waiting !== undefined;
}

/**
 * Runs a change, then writes its events and its entry in the audit log in one statement of its transaction: they exist
 * exactly when the change does, and cost a round trip between them.
 */
export async function withOutbox<T>(
  tx: Tx,
  run: () => Promise<T>,
  audit: (result: T) => AuditRecord | null,
): Promise<T> {
  const events: EventRow[] = [];
  held.set(tx, events);
  try {
    const result = await run();
    const record = audit(result);
    if (record !== null && events.length > 0) {
      await tx.execute(sql`WITH told AS (${insertEvents(events)}) ${insertAudit([record])}`);
    } else if (record !== null) await tx.execute(insertAudit([record]));
    else if (events.length > 0) await tx.execute(insertEvents(events));
    return result;
  } finally {
    held.delete(tx);
  }
}
