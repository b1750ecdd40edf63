import { type Sql, sql } from "./sql.ts";
import type { Tx } from "./transaction.ts";

/** Time and sequence number of a change within its team. */
export type Stamp = {
  /** Strictly increasing in whole milliseconds, so no two changes of a team share a time. */
  at: Date;
  /** Strictly increasing, without gaps among committed changes. */
  sequence: bigint;
};

/** The stamp as PostgreSQL returns it. */
export type ClockRow = { at: Date; sequence: number | bigint };

/**
 * Takes the next `count` stamps of a team and returns the first; stamp i of a batch is `at` + i ms and `sequence` + i.
 * The clock row stays locked until the transaction ends, so stamps become visible in their order: a reader that has seen
 * one has seen all before it.
 */
export async function stampChange(tx: Tx, teamId: string, now: Date, count = 1): Promise<Stamp> {
  const stamp = readStamp(await tx.rows<ClockRow>(takeStamp(teamId, now, count)));
  tx.noteStamp(teamId, new Date(stamp.at.getTime() + count - 1));
  return stamp;
}

/** Returns the statement of `stampChange`, to be a part of one that writes the change, too. It returns `at` and `sequence`. */
export function takeStamp(teamId: string, now: Date, count: number): Sql {
  if (!Number.isInteger(count) || count < 1) throw new RangeError("count must be a whole number of at least 1");
  const span = count - 1;
  return sql`
    INSERT INTO team_clocks AS clock ("teamId", at, sequence)
    VALUES (${teamId}::uuid, ${now}::timestamptz + ${span}::int * interval '1 ms', ${count}::int)
    ON CONFLICT ("teamId") DO UPDATE SET
      at = GREATEST(clock.at + interval '1 ms', ${now}::timestamptz) + ${span}::int * interval '1 ms',
      sequence = clock.sequence + ${count}::int
    RETURNING at - ${span}::int * interval '1 ms' AS at, sequence - ${span}::int AS sequence`;
}

/** Reads the stamp from the row that a statement with `takeStamp` returned. */
export function readStamp([row]: readonly ClockRow[]): Stamp {
  if (row === undefined) throw new Error("the team clock returned no stamp");
  return { at: row.at, sequence: BigInt(row.sequence) };
}

/**
 * Returns the time of a change without an event. Like `stampChange` it is later than all before it and locks the clock row.
 * It takes no sequence number, so the sequence of events has no gap.
 */
export async function stampMoment(tx: Tx, teamId: string, now: Date): Promise<Date> {
  const [row] = await tx.rows<Pick<ClockRow, "at">>(takeMoment(teamId, now));
  if (row === undefined) throw new Error("the team clock returned no time");
  tx.noteStamp(teamId, row.at);
  return row.at;
}

/**
 * Returns the statement that takes the next time of a team's clock if `changed`, a name of the WITH clause before it, has a row: for a
 * change that nobody shows a time of, so that a replica without it is not read.
 */
export const takeMomentIf = (changed: Sql, teamId: string): Sql =>
  takeMoment(teamId, new Date(0), sql`WHERE EXISTS (SELECT 1 FROM ${changed})`);

function takeMoment(teamId: string, now: Date, condition = sql``): Sql {
  return sql`
    INSERT INTO team_clocks AS clock ("teamId", at, sequence) SELECT ${teamId}::uuid, ${now}::timestamptz, 0 ${condition}
    ON CONFLICT ("teamId") DO UPDATE SET at = GREATEST(clock.at + interval '1 ms', ${now}::timestamptz)
    RETURNING at`;
}
