import { activeUser } from "@kb/auth";
import { sql, stampChange, type Tx } from "@kb/db";
import { emit } from "../events.ts";
import type { Service } from "../operation.ts";
import type { ClaimedDelivery } from "./claim.ts";

/** What came of one attempt. */
export type Outcome = {
  /** Null where no answer came. */
  readonly status: number | null;
  /** The beginning of the answer, or why there was none. */
  readonly body: string;
  readonly latencyMs: number;
  /** From `Retry-After`, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits before the second and all later attempts; after the last one the delivery has failed. */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
/** Each wait is this much longer or shorter by chance, so that many do not come back at once. */
const spread = 0.2;
/** A receiver may ask for no longer wait than this. */
const longestWaitMs = 24 * hour;
/** After so long with nothing but failures a subscription is switched off. */
const givenUpAfterMs = 5 * 24 * hour;

/** Drops a delivery that must not be told any more. */
export async function dropDelivery(service: Service, { teamId, id, attempts }: ClaimedDelivery): Promise<void> {
  await service.database.client.webhookDelivery.deleteMany({ where: { teamId, id, attempts, status: "pending" } });
}

/** An attempt that has ended. */
export type Attempt = { readonly delivery: ClaimedDelivery; readonly outcome: Outcome };

/** Whether the receiver took it. */
export const isDelivered = ({ outcome: { status } }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300;

/** Whether nothing is tried after this attempt. */
export const isLastAttempt = ({ attempts }: ClaimedDelivery): boolean => waitsMs[attempts - 1] === undefined;

/** Writes an attempt that missed: tried again later, or failed; and switches a dead subscription off. */
export async function settleMissed(
  service: Service,
  { delivery, outcome }: Attempt,
  random: () => number = Math.random,
): Promise<void> {
  const now = service.clock.now();
  await service.database.transaction(async (tx) => {
    await lockSubscription(tx, delivery);
    if (await markMissed(tx, delivery, outcome, now, random)) await noteFailure(tx, delivery, outcome, now);
  });
}

/** Always before its deliveries: who deletes a subscription takes the locks in this order too. */
async function lockSubscription(tx: Tx, { teamId, subscriptionId }: ClaimedDelivery): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM webhook_subscriptions w
    WHERE w."teamId" = ${teamId}::uuid AND w.id = ${subscriptionId}::uuid FOR NO KEY UPDATE`);
}

/**
 * Writes attempts that were taken, in one statement: it is what every delivery costs. An attempt whose lease ran out has
 * delivered all the same. Subscriptions are locked in the order of their ids, so that two workers never cross.
 */
export async function settleDelivered({ database, clock }: Service, attempts: readonly Attempt[]): Promise<void> {
  const now = clock.now();
  for (const [teamId, ofTeam] of Map.groupBy(attempts, ({ delivery }) => delivery.teamId)) {
    const ended = ofTeam.map(({ delivery: { id, subscriptionId }, outcome }) => ({ ...outcome, id, subscriptionId }));
    await database.execute(sql`
      WITH ended AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(ended)}::jsonb)
          AS e(id uuid, "subscriptionId" uuid, status int, body text, "latencyMs" int)
      ), subscriptions AS MATERIALIZED (
        SELECT w.id FROM webhook_subscriptions w
        WHERE w."teamId" = ${teamId}::uuid AND w.id IN (SELECT "subscriptionId" FROM ended)
        ORDER BY w.id FOR NO KEY UPDATE
      ), done AS (
        UPDATE webhook_deliveries d SET status = 'delivered', "finishedAt" = ${now}, "leaseUntil" = NULL,
          "responseStatus" = ended.status, "responseBody" = ended.body, "latencyMs" = ended."latencyMs"
        FROM ended JOIN subscriptions ON subscriptions.id = ended."subscriptionId"
        WHERE d."teamId" = ${teamId}::uuid AND d.id = ended.id AND d.status = 'pending' RETURNING d."subscriptionId"
      )
      UPDATE webhook_subscriptions w SET "lastDeliveryAt" = ${now}, "failingSince" = NULL
      WHERE w."teamId" = ${teamId}::uuid AND w.id IN (SELECT "subscriptionId" FROM done)`);
  }
}

async function markMissed(
  tx: Tx,
  delivery: ClaimedDelivery,
  outcome: Outcome,
  now: Date,
  random: () => number,
): Promise<boolean> {
  const { teamId, id, attempts, subscriptionId } = delivery;
  const wait = waitsMs[attempts - 1];
  const failed = wait === undefined;
  const asked = Math.min((outcome.retryAfterSeconds ?? 0) * second, longestWaitMs);
  const nextAttemptAt = new Date(now.getTime() + Math.max(asked, (wait ?? 0) * (1 - spread + 2 * spread * random())));
  const { count } = await tx.webhookDelivery.updateMany({
    where: { teamId, id, status: "pending", attempts },
    data: {
      ...{ responseStatus: outcome.status, responseBody: outcome.body, latencyMs: outcome.latencyMs, leaseUntil: null },
      ...(failed ? { status: "failed", finishedAt: now } : { nextAttemptAt }),
    },
  });
  if (count === 0 || failed) return count > 0;
  // The later ones about the same document wait for this one: they need not be looked at before.
  await tx.execute(sql`UPDATE webhook_deliveries d SET "nextAttemptAt" = GREATEST(d."nextAttemptAt", ${nextAttemptAt})
    FROM webhook_deliveries this WHERE this."teamId" = ${teamId}::uuid AND this.id = ${id}::uuid
      AND d."teamId" = this."teamId" AND d."subscriptionId" = ${subscriptionId}::uuid AND d.status = 'pending'
      AND d."documentId" = this."documentId" AND d.sequence > this.sequence`);
  return true;
}

type Health = { enabled: boolean; failingSince: Date | null; createdById: string };

async function noteFailure(tx: Tx, delivery: ClaimedDelivery, outcome: Outcome, now: Date): Promise<void> {
  const { teamId, subscriptionId } = delivery;
  const where = { teamId_id: { teamId, id: subscriptionId } };
  const [row] = await tx.rows<Health>(sql`UPDATE webhook_subscriptions w
    SET "failingSince" = COALESCE(w."failingSince", ${now})
    WHERE w."teamId" = ${teamId}::uuid AND w.id = ${subscriptionId}::uuid
    RETURNING w.enabled, w."failingSince", w."createdById"`);
  if (row === undefined || !row.enabled) return;
  const reason = reasonToStop(outcome, row.failingSince ?? now, now);
  if (reason === null) return;
  await tx.webhookSubscription.update({ where, data: { enabled: false, disabledReason: reason } });
  const creator = await activeUser(tx, teamId, row.createdById);
  if (creator === null) return;
  const stamp = await stampChange(tx, teamId, now);
  await emit(tx, creator, stamp, [{ type: "webhook.disabled", data: { id: subscriptionId, reason } }]);
}

function reasonToStop(outcome: Outcome, failingSince: Date, now: Date): string | null {
  if (outcome.status === 410) return "The receiver answered 410: it is gone for good.";
  if (now.getTime() - failingSince.getTime() < givenUpAfterMs) return null;
  return "Nothing but failures for five days.";
}
