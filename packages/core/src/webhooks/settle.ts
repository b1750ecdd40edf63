import { activeUser } from "@kb/auth";
import { sql, stampChange, type Tx } from "@kb/db";
import type { Service } from "../context.ts";
import { withOutbox } from "../outbox.ts";
import type { ClaimedDelivery } from "./claim.ts";

/** The result of one attempt. */
export type Outcome = {
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** The beginning of the response, or the reason why there was none. */
  readonly body: string;
  readonly latencyMs: number;
  /** From `Retry-After`, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays before the second and all later attempts. After the last attempt the delivery has failed. */
const retryDelaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
/** The random jitter of each delay, as a fraction, so that many deliveries are not retried at once. */
const spread = 0.2;
/** The longest delay that a receiver may request. */
const maxRetryDelayMs = 24 * hour;
/** The time after which a subscription that only fails is disabled. */
const disabledAfterMs = 5 * 24 * hour;

/** Deletes a delivery whose event the subscriber may no longer see. */
export async function dropDelivery(service: Service, { teamId, id, attempts }: ClaimedDelivery): Promise<void> {
  await service.database.client.webhookDelivery.deleteMany({ where: { teamId, id, attempts, status: "pending" } });
}

/** A completed attempt. */
export type Attempt = { readonly delivery: ClaimedDelivery; readonly outcome: Outcome };

/** Returns whether the receiver accepted the message. */
export const isDelivered = ({ outcome: { status } }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300;

/** Returns whether no attempt follows this one. */
export const isLastAttempt = ({ attempts }: ClaimedDelivery): boolean => retryDelaysMs[attempts - 1] === undefined;

/** Records a failed attempt: schedules the next one or fails the delivery, and disables a dead subscription. */
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

/** Locks a subscription. Call it before its deliveries are locked, which is also the order of a deletion. */
async function lockSubscription(tx: Tx, { teamId, subscriptionId }: ClaimedDelivery): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM webhook_subscriptions w
    WHERE w."teamId" = ${teamId}::uuid AND w.id = ${subscriptionId}::uuid FOR NO KEY UPDATE`);
}

/**
 * Records successful attempts in one statement, because every delivery pays for it. Accepts attempts whose lease has
 * expired. Locks subscriptions in the order of their ids, so that two workers cannot deadlock.
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
  const wait = retryDelaysMs[attempts - 1];
  const failed = wait === undefined;
  const asked = Math.min((outcome.retryAfterSeconds ?? 0) * second, maxRetryDelayMs);
  const nextAttemptAt = new Date(now.getTime() + Math.max(asked, (wait ?? 0) * (1 - spread + 2 * spread * random())));
  const { count } = await tx.webhookDelivery.updateMany({
    where: { teamId, id, status: "pending", attempts },
    data: {
      responseStatus: outcome.status,
      responseBody: outcome.body,
      latencyMs: outcome.latencyMs,
      leaseUntil: null,
      ...(failed ? { status: "failed", finishedAt: now } : { nextAttemptAt }),
    },
  });
  if (count === 0 || failed) return count > 0;
  // Later deliveries about the same document wait for this one, so the claim can ignore them until then.
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
  await withOutbox(tx, creator, async (outbox) => {
    outbox.emit(stamp, [{ type: "webhook.disabled", data: { id: subscriptionId, reason } }]);
  });
}

function reasonToStop(outcome: Outcome, failingSince: Date, now: Date): string | null {
  if (outcome.status === 410) return "The receiver answered 410: it is gone for good.";
  if (now.getTime() - failingSince.getTime() < disabledAfterMs) return null;
  return "Nothing but failures for five days.";
}
