import { type Database, sql, type Tx } from "@kb/db";
import type { Service } from "../context.ts";
import type { ChangeConsumer, ChangeEvent } from "./consumer.ts";
import { consumers } from "./consumers.ts";

/** Maximum number of teams per call, and of events per transaction. */
const maxTeams = 50;
const maxEvents = 200;

/** A cursor that is behind its team's events. */
type WaitingCursor = { readonly consumer: string; readonly teamId: string; readonly isNew: boolean };

/**
 * Advances the cursor of every consumer and returns the number of events read. Any number of processes may run it
 * concurrently: only one of them moves a cursor at a time, in the order of the team's events.
 * @throws the first failure of a consumer, after all other consumers have run
 */
export async function advanceCursors(service: Service, all: readonly ChangeConsumer[] = consumers): Promise<number> {
  const byName = new Map(all.map((consumer) => [consumer.name, consumer]));
  const failures: unknown[] = [];
  let read = 0;
  for (const waiting of await waitingCursors(service.database, [...byName.keys()])) {
    const consumer = byName.get(waiting.consumer);
    if (consumer === undefined) continue;
    try {
      read += await service.database.transaction((tx) => advance(tx, consumer, waiting, service.clock.now()));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return read;
}

/** Finds cursors with unread events. Teams with the oldest change come first, so that a busy team delays no other. */
function waitingCursors(database: Database, names: readonly string[]): Promise<WaitingCursor[]> {
  return database.acrossTeams.rows<WaitingCursor>(sql`
    SELECT n.consumer, c."teamId", k.sequence IS NULL AS "isNew"
    FROM team_clocks c CROSS JOIN unnest(${names}::text[]) AS n(consumer)
    LEFT JOIN change_cursors k ON k.consumer = n.consumer AND k."teamId" = c."teamId"
    WHERE c.sequence > COALESCE(k.sequence, 0) ORDER BY c.at LIMIT ${maxTeams}`);
}

async function advance(
  tx: Tx,
  { name, consume }: ChangeConsumer,
  { teamId, isNew }: WaitingCursor,
  now: Date,
): Promise<number> {
  if (isNew) {
    await tx.execute(sql`INSERT INTO change_cursors (consumer, "teamId", sequence)
      VALUES (${name}, ${teamId}::uuid, 0) ON CONFLICT DO NOTHING`);
  }
  const [cursor] = await tx.rows<{ sequence: number; newest: number }>(sql`
    SELECT k.sequence, c.sequence AS newest
    FROM change_cursors k JOIN team_clocks c ON c."teamId" = k."teamId"
    WHERE k.consumer = ${name} AND k."teamId" = ${teamId}::uuid FOR UPDATE OF k SKIP LOCKED`);
  if (cursor === undefined) return 0;
  const events = await tx.rows<ChangeEvent>(sql`SELECT e.id, e.sequence, e.type, e."documentId" FROM events e
    WHERE e."teamId" = ${teamId}::uuid AND e.sequence > ${cursor.sequence} ORDER BY e.sequence LIMIT ${maxEvents}`);
  if (events.length > 0 && !(await consume(tx, { teamId, events, now }))) return 0;
  // The clock was read before the events, so each number up to its value is one of these events or belongs to none.
  const last = Number(events.at(-1)?.sequence ?? 0);
  const position = events.length === maxEvents ? last : Math.max(last, cursor.newest);
  await tx.execute(sql`UPDATE change_cursors SET sequence = ${position}
    WHERE consumer = ${name} AND "teamId" = ${teamId}::uuid`);
  return events.length;
}
