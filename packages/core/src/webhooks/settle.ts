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

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Drops a delivery that must not be told any more. */
export async function dropDelivery(service: Service, { teamId, id, attempts }: ClaimedDelivery): Promise<void> {
  await service.database.client.webhookDelivery.deleteMany({ where: { teamId, id, attempts, status: "pending" } });
}

/** Writes what came of an attempt: delivered, tried again later, or failed; and switches a dead subscription off. */
export async function settleDelivery(
  service: Service,
  delivery: ClaimedDelivery,
  outcome: Outcome,
  random: () => number = Math.random,
): Promise<void> {
  const now = service.clock.now();
  if (isSuccess(outcome.status)) return markDelivered(service, delivery, outcome, now);
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

/** One statement: it is what every delivery costs. An attempt whose lease ran out has delivered all the same. */
async function markDelivered(
  { database }: Service,
  { teamId, id, subscriptionId, attempts }: ClaimedDelivery,
  { status, body, latencyMs }: Outcome,
  now: Date,
): Promise<void> {
  await database.execute(sql`
    WITH subscription AS (
      SELECT w."teamId", w.id FROM webhook_subscriptions w
      WHERE w."teamId" = ${teamId}::uuid AND w.id = ${subscriptionId}::uuid FOR NO KEY UPDATE
    ), done AS (
      UPDATE webhook_deliveries d SET status = 'delivered', "finishedAt" = ${now}, "leaseUntil" = NULL,
        "responseStatus" = ${status}, "responseBody" = ${body}, "latencyMs" = ${latencyMs}
      FROM subscription WHERE d."teamId" = subscription."teamId" AND d.id = ${id}::uuid
        AND d.status = 'pending' AND d.attempts >= ${attempts} RETURNING d."teamId"
    )
    UPDATE webhook_subscriptions w SET "lastDeliveryAt" = ${now}, "failingSince" = NULL
    FROM done WHERE w."teamId" = done."teamId" AND w.id = ${subscriptionId}::uuid`);
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
