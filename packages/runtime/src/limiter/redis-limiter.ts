import type { Redis } from "ioredis";
import type { Logger } from "../logger.ts";
import type { Limiter, Verdict } from "./limiter.ts";
import { spendScript, takeScript } from "./redis-scripts.ts";
import { SpendingBuffer } from "./spending-buffer.ts";

/** A request waits at most this long for Redis. */
const deadlineMs = 250;

/** After a failure Redis is not asked for this long, so that an outage slows one request a second, not all of them. */
const pauseMs = 1_000;

/**
 * Creates a limiter that all instances share. Uses `fallback` while Redis fails or hangs. Logs one line when an outage
 * begins and one when it ends.
 */
export function redisLimiter(options: {
  redis: Redis;
  fallback: Limiter;
  logger: Logger;
  now?: () => number;
}): Limiter {
  const { redis, fallback, logger, now = () => performance.now() } = options;
  redis.defineCommand("kbTakeFromWindow", { numberOfKeys: 2, lua: takeScript });
  redis.defineCommand("kbSpend", { numberOfKeys: 1, lua: spendScript });
  let failing = false;
  let pausedUntil = 0;

  const fail = (error: unknown): void => {
    pausedUntil = now() + pauseMs;
    if (failing) return;
    failing = true;
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ reason }, "Redis does not answer: the rate limit counts in this process until it does");
  };

  /** Runs a command, or the fallback while Redis fails or hangs. */
  const attempt = async <T>(command: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> => {
    if (now() < pausedUntil) return otherwise();
    try {
      const reply = await withDeadline(command());
      if (failing) logger.info("Redis answers again: the rate limit is shared");
      failing = false;
      return reply;
    } catch (error) {
      fail(error);
      return otherwise();
    }
  };

  const buffer = new SpendingBuffer((key, amounts) =>
    attempt(
      async () => void (await run(redis, "kbSpend", [keyOf(key), ...amounts])),
      () => fallback.spend(key, amounts),
    ),
  );

  return {
    take: (allowance) => {
      const { key, limit, windowMs, count = 1, budget } = allowance;
      const keys = [keyOf(key), keyOf(budget?.key ?? key)];
      const values = [limit, windowMs, count, ...(budget?.limits ?? [])];
      return attempt(
        async () => verdictOf(await run(redis, "kbTakeFromWindow", [...keys, ...values])),
        () => fallback.take(allowance),
      );
    },
    spend: async (key, amounts) => buffer.add(key, amounts),
  };
}

const keyOf = (key: string): string => `kb:rate:${key}`;

function run(redis: Redis, name: string, values: readonly (string | number)[]): Promise<unknown> {
  const command: unknown = Reflect.get(redis, name);
  if (typeof command !== "function") throw new Error(`the command ${name} is not defined`);
  return Reflect.apply(command, redis, values);
}

function verdictOf(reply: unknown): Verdict {
  if (!Array.isArray(reply)) throw new Error("the rate limit's script returned no list");
  const [allowed, remaining, resetMs, exhausted] = reply.map(Number);
  if (remaining === undefined || resetMs === undefined)
    throw new Error("the rate limit's script returned a short list");
  return { allowed: allowed === 1, remaining, resetMs, ...(exhausted === undefined ? {} : { exhausted }) };
}

/**
 * Rejects at the deadline, but only after answers that have already arrived are read. Otherwise a busy process would treat
 * Redis as down, and the limit would leak exactly under load.
 */
async function withDeadline<T>(answer: Promise<T>): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // Sockets are read between a timer and an immediate.
    setImmediate(() => reject(new Error(`Redis took longer than ${deadlineMs} ms`)));
  }, deadlineMs);
  try {
    return await Promise.race([answer, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
