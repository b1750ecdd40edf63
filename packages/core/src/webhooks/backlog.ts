import { sql } from "@kb/db";
import type { Service } from "../operation.ts";

/** What waits to be sent, of all teams. */
export type Backlog = {
  /** Events that no subscriber was told of yet. */
  readonly events: number;
  /** How long the oldest of them waits, in seconds; 0 where there is none. */
  readonly oldestSeconds: number;
  /** Deliveries whose time has come. */
  readonly due: number;
};

/** Counted no further: who has so many waiting knows enough, and the count costs what it costs at most. */
const countedTo = 100_000;

/** Counts what waits, by the indices that the worker claims by. */
export async function webhookBacklog({ database, clock }: Service): Promise<Backlog> {
  const now = clock.now();
  const [row] = await database.acrossTeams.rows<{ events: number; oldest: Date | null; due: number }>(sql`SELECT
    (SELECT count(*)::int FROM
      (SELECT 1 FROM events WHERE "dispatchedAt" IS NULL LIMIT ${countedTo}) AS waiting) AS events,
    (SELECT at FROM events WHERE "dispatchedAt" IS NULL ORDER BY at LIMIT 1) AS oldest,
    (SELECT count(*)::int FROM (
      SELECT 1 FROM webhook_subscriptions w CROSS JOIN LATERAL (
        SELECT 1 FROM webhook_deliveries d WHERE d."teamId" = w."teamId" AND d."subscriptionId" = w.id
          AND d.status = 'pending' AND d."nextAttemptAt" <= ${now} LIMIT ${countedTo}) AS d
      WHERE w.enabled LIMIT ${countedTo}) AS due) AS due`);
  const { events = 0, oldest = null, due = 0 } = row ?? {};
  const oldestSeconds = oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000);
  return { events, oldestSeconds, due };
}
