import { sql } from "@kb/db";
import type { Service } from "../context.ts";

/** The count stops here, which keeps it cheap. A higher number tells an operator nothing more. */
const maxCount = 100_000;

/** Counts the due deliveries of all teams, at most 100,000, with the index that the claim uses. */
export async function countDueDeliveries({ database, clock }: Pick<Service, "database" | "clock">): Promise<number> {
  const now = clock.now();
  const [row] = await database.acrossTeams.rows<{ due: number }>(sql`SELECT count(*)::int AS due FROM (
    SELECT 1 FROM webhook_subscriptions w CROSS JOIN LATERAL (
      SELECT 1 FROM webhook_deliveries d WHERE d."teamId" = w."teamId" AND d."subscriptionId" = w.id
        AND d.status = 'pending' AND d."nextAttemptAt" <= ${now} LIMIT ${maxCount}) AS d
    WHERE w.enabled LIMIT ${maxCount}) AS due`);
  return row?.due ?? 0;
}
