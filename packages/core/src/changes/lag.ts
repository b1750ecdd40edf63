import { type Sql, sql } from "@kb/db";
import type { Service } from "../context.ts";
import { consumerNames } from "./consumers.ts";

/** The backlog of a consumer, over all teams. */
export type ConsumerLag = {
  readonly consumer: string;
  /** Events that it has not read. */
  readonly events: number;
  /** The age of the oldest of them, in seconds; 0 if there is none. */
  readonly oldestSeconds: number;
};

/** Reads the backlog of every consumer. */
export async function readConsumerLags({
  database,
  clock,
}: Pick<Service, "database" | "clock">): Promise<ConsumerLag[]> {
  const now = clock.now();
  const rows = await database.acrossTeams.rows<{ consumer: string; events: number; oldest: Date | null }>(sql`
    SELECT n.consumer, COALESCE(sum(behind.events), 0)::bigint AS events, min(behind.oldest) AS oldest
    FROM unnest(${consumerNames}::text[]) AS n(consumer)
    LEFT JOIN LATERAL (
      SELECT c.sequence - COALESCE(k.sequence, 0) AS events,
        (SELECT e.at FROM events e WHERE e."teamId" = c."teamId" AND e.sequence > COALESCE(k.sequence, 0)
          ORDER BY e.sequence LIMIT 1) AS oldest
      FROM team_clocks c LEFT JOIN change_cursors k ON k.consumer = n.consumer AND k."teamId" = c."teamId"
      WHERE c.sequence > COALESCE(k.sequence, 0)) AS behind ON TRUE
    GROUP BY n.consumer ORDER BY n.consumer`);
  return rows.map(({ consumer, events, oldest }) => ({
    consumer,
    events: Number(events),
    oldestSeconds: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000),
  }));
}

/** Condition on `events`: every consumer has read the event. */
export function readByAllConsumers(): Sql {
  return sql`events.sequence <= (SELECT min(COALESCE(k.sequence, 0)) FROM unnest(${consumerNames}::text[]) AS n(consumer)
    LEFT JOIN change_cursors k ON k.consumer = n.consumer AND k."teamId" = events."teamId")`;
}
