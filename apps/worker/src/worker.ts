import type { Sealer } from "@kb/auth";
import { type Service, sweep } from "@kb/core";
import { describeError, type Logger } from "@kb/http";
import type { Outgoing } from "@kb/outgoing";
import { deliveryLoop } from "./delivery-loop.ts";
import { tellBacklog } from "./tell.ts";
import { version } from "./version.ts";

/** What a worker stands on; times in milliseconds. */
export type WorkerOptions = {
  /** With the sealer under which the secrets of webhooks were stored. */
  readonly service: Service & { readonly sealer: Sealer };
  readonly outgoing: Outgoing;
  readonly logger: Logger;
  /** Documents in the trash go after so many days; 0 keeps them for ever. */
  readonly trashRetentionDays: number;
  /** Deliveries at once, in all; default 64. For one subscription 4, for one team 16. */
  readonly concurrency?: number;
  readonly perSubscription?: number;
  readonly perTeam?: number;
  /** Between two looks while nothing waits. Default 500. */
  readonly pollMs?: number;
  /** A receiver has this long to answer. Default 15,000. */
  readonly timeoutMs?: number;
  /** A delivery of a worker that died is tried by another after this long. Default 30,000; more than `timeoutMs`. */
  readonly leaseMs?: number;
  /** Between two rounds of retention. Default an hour. */
  readonly sweepMs?: number;
};

/** A worker at its work. */
export type RunningWorker = {
  /** Takes on nothing more, and resolves when what runs is done. */
  close(): Promise<void>;
};

const retryAfterFailureMs = 2_000;
/** While much waits: so many deliveries end between two looks that one look finds work for several of them. */
const busyPauseMs = 20;

/** Sends webhooks and throws away what is past its time, until it is closed. Any number may run beside each other. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { logger, pollMs = 500, sweepMs = 3_600_000 } = options;
  const stopping = new AbortController();
  const { concurrency = 64, perSubscription = 4, perTeam = 16, timeoutMs = 15_000, leaseMs = 30_000 } = options;
  const bounds = { concurrency, perSubscription, perTeam, timeoutMs, leaseMs };
  const deliveries = deliveryLoop({ ...options, ...bounds, userAgent: `team-knowledge-base/${version}` });
  const loops = [
    repeat(stopping.signal, pollMs, logger, "webhooks", async () => {
      const begun = await deliveries.turn();
      // What is next in line waits for what runs now: a receiver that answers at once is not kept waiting for a poll.
      if (begun > 0) await Promise.race([deliveries.idle(), pause(busyPauseMs)]);
      return begun > 0;
    }),
    repeat(stopping.signal, sweepMs, logger, "retention", async () => {
      const removed = await sweep(options.service, { trashRetentionDays: options.trashRetentionDays });
      if (Object.keys(removed).length > 0) logger.info({ removed }, "retention");
      return false;
    }),
  ];
  const stopTelling = tellBacklog(options.service);
  return {
    close: async () => {
      stopping.abort();
      stopTelling();
      await Promise.all(loops);
      await deliveries.idle();
    },
  };
}

/** Runs `turn` again and again: at once while it says that there is more, after `pauseMs` otherwise. */
async function repeat(
  signal: AbortSignal,
  pauseMs: number,
  logger: Logger,
  name: string,
  turn: () => Promise<boolean>,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = pauseMs;
    try {
      if (await turn()) waitMs = 0;
    } catch (error) {
      waitMs = Math.max(pauseMs, retryAfterFailureMs);
      logger.error({ cause: describeError(error) }, `${name}: could not go on, trying again`);
    }
    if (waitMs > 0) await pause(waitMs, signal);
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // Aborted while the turn before ran: the event has gone by.
  if (signal?.aborted === true) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = (): void => resolve();
  const timer = setTimeout(over, ms);
  signal?.addEventListener("abort", over, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", over);
  });
}
