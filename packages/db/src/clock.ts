import { sql } from "./sql.ts";
import type { Tx } from "./transaction.ts";

/** The place of a change in its team's history. */
export type Stamp = {
  /** Strictly increasing, whole milliseconds: no two changes of a team share one. */
  at: Date;
  /** Strictly increasing, without a gap among committed changes. */
  sequence: bigint;
};

type ClockRow = { at: Date; sequence: number | bigint };

/**
 * Takes the next `count` stamps of a team and gives the first; the i-th of a batch is `at` + i ms and `sequence` + i.
 * The clock row stays locked until the transaction ends, so stamps become visible in the order in which they were given:
 * a reader that has seen one has seen all before it.
 */
export async function stampChange(tx: Tx, teamId: string, now: Date, count = 1): Promise<Stamp> {
  if (!Number.isInteger(count) || count < 1) throw new RangeError("count must be a whole number of at least 1");
  const span = count - 1;
  const [row] = await tx.rows<ClockRow>(sql`
    INSERT INTO team_clocks AS clock ("teamId", at, sequence)
    VALUES (${teamId}::uuid, ${now}::timestamptz + ${span}::int * interval '1 ms', ${count}::int)
    ON CONFLICT ("teamId") DO UPDATE SET
      at = GREATEST(clock.at + interval '1 ms', ${now}::timestamptz) + ${span}::int * interval '1 ms',
      sequence = clock.sequence + ${count}::int
    RETURNING at - ${span}::int * interval '1 ms' AS at, sequence - ${span}::int AS sequence`);
  if (row === undefined) throw new Error("the team clock gave no stamp");
  return { at: row.at, sequence: BigInt(row.sequence) };
}

/**
 * The moment of a change that no event tells of: after all before it, as with `stampChange`, and the clock row stays locked
 * the same way. It takes no number, so that the sequence of events stays without a gap.
 */
export async function stampMoment(tx: Tx, teamId: string, now: Date): Promise<Date> {
  const [row] = await tx.rows<Pick<ClockRow, "at">>(sql`
    INSERT INTO team_clocks AS clock ("teamId", at, sequence) VALUES (${teamId}::uuid, ${now}::timestamptz, 0)
    ON CONFLICT ("teamId") DO UPDATE SET at = GREATEST(clock.at + interval '1 ms', ${now}::timestamptz)
    RETURNING at`);
  if (row === undefined) throw new Error("the team clock gave no moment");
  return row.at;
}
