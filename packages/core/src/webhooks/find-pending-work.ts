import { sql } from "@kb/db";
import { consumerNames } from "../changes/consumers.ts";
import type { Service } from "../context.ts";

/** The work that waits for a worker. */
export type PendingWork = {
  /** A consumer has not read every event. */
  readonly unread: boolean;
  /** A delivery is due and no worker holds it. */
  readonly due: boolean;
};

/** Finds out which work waits for a worker, over all teams. */
export async function findPendingWork({ database, clock }: Pick<Service, "database" | "clock">): Promise<PendingWork> {
  const now = clock.now();
  const [row] = await database.acrossTeams.rows<PendingWork>(sql`SELECT
    EXISTS (SELECT 1 FROM team_clocks c CROSS JOIN unnest(${consumerNames}::text[]) AS n(consumer)
      LEFT JOIN change_cursors k ON k.consumer = n.consumer AND k."teamId" = c."teamId"
      WHERE c.sequence > COALESCE(k.sequence, 0)) AS unread,
    EXISTS (SELECT 1 FROM webhook_subscriptions w WHERE w.enabled AND EXISTS (SELECT 1 FROM webhook_deliveries d
      WHERE d."teamId" = w."teamId" AND d."subscriptionId" = w.id AND d.status = 'pending'
        AND d."nextAttemptAt" <= ${now} AND (d."leaseUntil" IS NULL OR d."leaseUntil" <= ${now}))) AS due`);
  return row ?? { unread: false, due: false };
}
