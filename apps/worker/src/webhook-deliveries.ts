import { setTimeout as pause } from "node:timers/promises";
import type { Sealer } from "@kb/auth";
import {
  type Attempt,
  advanceCursors,
  type ClaimedDelivery,
  claimDeliveries,
  dropDelivery,
  findPendingWork,
  isDelivered,
  isLastAttempt,
  type Message,
  messagesOf,
  type Service,
  settleDelivered,
  settleMissed,
} from "@kb/core";
import { describeError, type Logger } from "@kb/runtime";
import { batchWrites } from "./batch-writes.ts";
import { type DeliveryResult, reportDelivery } from "./report-delivery.ts";
import { type SendOptions, sendMessage } from "./send-message.ts";

/** Options of the deliveries, with the limits of concurrency. */
export type DeliveryOptions = SendOptions & {
  readonly service: Service & { readonly sealer: Sealer };
  readonly logger: Logger;
  readonly concurrency: number;
  readonly perSubscription: number;
  readonly perTeam: number;
  readonly leaseMs: number;
};

/** The deliveries of one worker. */
export type WebhookDeliveries = {
  /** Reads the change log, which queues deliveries, and starts those that are due. */
  readonly run: () => Promise<"more" | "done">;
  /** Resolves when no delivery runs. */
  readonly idle: () => Promise<void>;
};

/** Results that arrive within this time are written together, in milliseconds. */
const batchMs = 2;

/** Pause while deliveries are waiting: long enough for several to end, so that the next claim finds work for them. */
const busyPauseMs = 20;

/** Opens the deliveries of one worker. */
export function openWebhookDeliveries(options: DeliveryOptions): WebhookDeliveries {
  const { service, logger, concurrency, perSubscription, perTeam, leaseMs } = options;
  const inFlight = new Set<Promise<void>>();
  const running = new Map<string, number>();
  const deliver = deliverer(options);

  const count = (delivery: ClaimedDelivery, by: number): void => {
    for (const id of [delivery.subscriptionId, delivery.teamId]) {
      const left = (running.get(id) ?? 0) + by;
      if (left === 0) running.delete(id);
      else running.set(id, left);
    }
  };
  const start = (delivery: ClaimedDelivery, message: Message | undefined): void => {
    count(delivery, 1);
    const { telemetry } = service;
    const delivered = reportDelivery({ logger, telemetry }, delivery, () => deliver(delivery, message))
      // The lease expires and the delivery is retried.
      .catch((error: unknown) => logger.error({ cause: describeError(error), delivery: delivery.id }, "delivery"))
      .finally(() => {
        count(delivery, -1);
        inFlight.delete(delivered);
      });
    inFlight.add(delivered);
  };
  const idle = async (): Promise<void> => {
    await Promise.all(inFlight);
  };

  return {
    run: async () => {
      // An idle service runs only this statement.
      const pending = await findPendingWork(service);
      const read = pending.unread ? await advanceCursors(service) : 0;
      const total = concurrency - inFlight.size;
      const capacity = { total, perSubscription, perTeam, running, leaseMs };
      const claimed = read > 0 || pending.due ? await claimDeliveries(service, capacity) : [];
      const messages = await messagesOf(service.database, service.sealer, claimed, service.clock.now());
      for (const delivery of claimed) start(delivery, messages.get(delivery.id));
      if (read + claimed.length === 0) return "done";
      // Deliveries of a document go one at a time, so the next one is claimed as soon as these end, without a poll.
      await Promise.race([idle(), pause(busyPauseMs)]);
      return "more";
    },
    idle,
  };
}

/** Returns a function that sends one message, and writes and returns the result. */
function deliverer(options: DeliveryOptions) {
  const { service } = options;
  const writeDelivered = batchWrites(batchMs, (attempts: readonly Attempt[]) => settleDelivered(service, attempts));
  return async (delivery: ClaimedDelivery, message: Message | undefined): Promise<DeliveryResult> => {
    if (message === undefined) {
      await dropDelivery(service, delivery);
      return { result: "dropped" };
    }
    const outcome = await sendMessage(options, message, service.clock.now());
    if (isDelivered({ delivery, outcome })) {
      await writeDelivered({ delivery, outcome });
      return { result: "delivered", outcome };
    }
    await settleMissed(service, { delivery, outcome });
    return { result: isLastAttempt(delivery) ? "failed" : "retried", outcome };
  };
}
