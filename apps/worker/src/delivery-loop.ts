import type { Sealer } from "@kb/auth";
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  dispatchEvents,
  dropDelivery,
  isDelivered,
  isLastAttempt,
  type Message,
  messagesOf,
  type Service,
  settleDelivered,
  settleMissed,
} from "@kb/core";
import { describeError, type Logger } from "@kb/http";
import { attempt, type Delivering } from "./attempt.ts";
import { gather } from "./gather.ts";
import { type Ended, told } from "./tell.ts";

/** What the loop stands on, and how much it takes on at once. */
export type DeliveryOptions = Delivering & {
  readonly service: Service & { readonly sealer: Sealer };
  readonly logger: Logger;
  readonly concurrency: number;
  readonly perSubscription: number;
  readonly perTeam: number;
  readonly leaseMs: number;
};

/** One worker's deliveries. */
export type DeliveryLoop = {
  /** Queues what happened and begins what is due; gives how much there was. */
  turn(): Promise<number>;
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
};

/** What ends within this time is written together, in milliseconds. */
const gatherMs = 2;

/** Begins deliveries as there is room for them, and writes what came of them. */
export function deliveryLoop(options: DeliveryOptions): DeliveryLoop {
  const { service, logger, concurrency, perSubscription, perTeam, leaseMs } = options;
  const inFlight = new Set<Promise<void>>();
  const running = new Map<string, number>();
  const write = gather(gatherMs, (attempts: readonly Attempt[]) => settleDelivered(service, attempts));

  const count = (delivery: ClaimedDelivery, by: number): void => {
    for (const id of [delivery.subscriptionId, delivery.teamId]) {
      const left = (running.get(id) ?? 0) + by;
      if (left === 0) running.delete(id);
      else running.set(id, left);
    }
  };
  const deliver = async (delivery: ClaimedDelivery, message: Message | undefined): Promise<Ended> => {
    if (message === undefined) {
      await dropDelivery(service, delivery);
      return { result: "dropped" };
    }
    const outcome = await attempt(options, message, service.clock.now());
    if (isDelivered({ delivery, outcome })) {
      await write({ delivery, outcome });
      return { result: "delivered", outcome };
    }
    await settleMissed(service, { delivery, outcome });
    return { result: isLastAttempt(delivery) ? "failed" : "retried", outcome };
  };
  const telling = { logger, telemetry: service.telemetry };
  const begin = (delivery: ClaimedDelivery, message: Message | undefined): void => {
    count(delivery, 1);
    const delivered = told(telling, delivery, () => deliver(delivery, message))
      // The lease runs out and the delivery is tried again.
      .catch((error: unknown) => logger.error({ cause: describeError(error), delivery: delivery.id }, "delivery"))
      .finally(() => {
        count(delivery, -1);
        inFlight.delete(delivered);
      });
    inFlight.add(delivered);
  };

  return {
    turn: async () => {
      const dispatched = await dispatchEvents(service);
      const total = concurrency - inFlight.size;
      const claimed = await claimDeliveries(service, { total, perSubscription, perTeam, running, leaseMs });
      const messages = await messagesOf(service.database, service.sealer, claimed, service.clock.now());
      for (const delivery of claimed) begin(delivery, messages.get(delivery.id));
      return dispatched + claimed.length;
    },
    idle: async () => {
      await Promise.all(inFlight);
    },
  };
}
