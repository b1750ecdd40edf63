import { sql } from "@kb/db";
import type { Service } from "../context.ts";

/** A delivery that a worker holds. No other worker sends it before the lease expires. */
export type ClaimedDelivery = {
  readonly teamId: string;
  readonly id: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  /** The number of this attempt, from 1. It rejects a late result of an earlier attempt. */
  readonly attempts: number;
};

/** The number of deliveries that a worker may claim. */
export type Capacity = {
  /** Maximum number of deliveries. */
  readonly total: number;
  /** Maximum per subscription, so that a slow receiver delays no other. */
  readonly perSubscription: number;
  /** Maximum per team. */
  readonly perTeam: number;
  /** The deliveries that the worker is sending, counted by subscription id and by team id. */
  readonly running: ReadonlyMap<string, number>;
  /** The time after which another worker may claim the delivery of a worker that died. */
  readonly leaseMs: number;
};

/**
 * Claims due deliveries. A subscription gets the deliveries about a document one at a time and in the order of their
 * events, so a failed delivery delays the later ones.
 */
export async function claimDeliveries(service: Service, capacity: Capacity): Promise<ClaimedDelivery[]> {
  const { total, perSubscription, perTeam, running, leaseMs } = capacity;
  if (total < 1) return [];
  const now = service.clock.now();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const held = JSON.stringify(Object.fromEntries(running));
  return await service.database.acrossTeams.rows<ClaimedDelivery>(sql`
    WITH due AS MATERIALIZED (
      SELECT w."teamId", head.id, head."nextAttemptAt", head.sequence
      FROM webhook_subscriptions w
      CROSS JOIN LATERAL (
        SELECT d.id, d."nextAttemptAt", d.sequence FROM webhook_deliveries d
        WHERE d."teamId" = w."teamId" AND d."subscriptionId" = w.id AND d.status = 'pending'
          AND d."nextAttemptAt" <= ${now} AND (d."leaseUntil" IS NULL OR d."leaseUntil" <= ${now})
          AND (d."documentId" IS NULL OR NOT EXISTS (SELECT 1 FROM webhook_deliveries earlier
            WHERE earlier."teamId" = d."teamId" AND earlier."subscriptionId" = d."subscriptionId"
              AND earlier.status = 'pending' AND earlier."documentId" = d."documentId" AND earlier.sequence < d.sequence))
        ORDER BY d."nextAttemptAt", d.sequence
        LIMIT GREATEST(0, ${perSubscription}::int - COALESCE((${held}::jsonb->>w.id::text)::int, 0))
        FOR UPDATE OF d SKIP LOCKED
      ) head
      WHERE w.enabled
    ), ranked AS (
      SELECT due.*, row_number() OVER (PARTITION BY "teamId" ORDER BY "nextAttemptAt", sequence)
        + COALESCE((${held}::jsonb->>"teamId"::text)::int, 0) AS place
      FROM due
    ), chosen AS (
      SELECT "teamId", id FROM ranked WHERE place <= ${perTeam}::int ORDER BY "nextAttemptAt", sequence LIMIT ${total}::int
    )
    UPDATE webhook_deliveries d SET "leaseUntil" = ${leaseUntil}, attempts = d.attempts + 1
    FROM chosen WHERE d."teamId" = chosen."teamId" AND d.id = chosen.id
    RETURNING d."teamId", d.id, d."subscriptionId", d."eventId", d.attempts`);
}
