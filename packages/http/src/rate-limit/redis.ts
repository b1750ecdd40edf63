import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Limiter, Verdict } from "./limiter.ts";

/**
 * One round trip, atomic, by the clock of Redis, so that the instances' own clocks do not matter. Times in microseconds:
 * the member is unique because two scripts that run in the same microsecond see different counts.
 */
const takeScript = `
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", string.format("%.0f", now - window))
local count = redis.call("ZCARD", KEYS[1])
local allowed = count < limit
if allowed then
  local stamp = string.format("%.0f", now)
  redis.call("ZADD", KEYS[1], stamp, stamp .. "-" .. count)
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
  count = count + 1
end
local oldest = redis.call("ZRANGE", KEYS[1], 0, 0, "WITHSCORES")[2] or now
return { allowed and 1 or 0, limit - count, math.ceil((oldest + window - now) / 1000) }
`;

/** A request waits no longer for Redis. */
const deadlineMs = 250;

/** After a failure Redis is left alone for this long, so that an outage costs one slow request a second and not each. */
const pauseMs = 1_000;

/**
 * A limiter that all instances share. A Redis that fails or hangs hands over to `fallback`; each outage is logged in
 * one line, its end in another.
 */
export function redisLimiter(options: {
  redis: Redis;
  fallback: Limiter;
  logger: Logger;
  now?: () => number;
}): Limiter {
  const { redis, fallback, logger, now = () => performance.now() } = options;
  redis.defineCommand("kbTakeFromWindow", { numberOfKeys: 1, lua: takeScript });
  let failing = false;
  let pausedUntil = 0;

  const fail = (error: unknown): void => {
    pausedUntil = now() + pauseMs;
    if (failing) return;
    failing = true;
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ reason }, "Redis does not answer: the rate limit counts in this process until it does");
  };

  return {
    async take(allowance) {
      if (now() < pausedUntil) return fallback.take(allowance);
      try {
        const { key, limit, windowMs } = allowance;
        const reply = await inTime(run(redis, `kb:rate:${key}`, limit, windowMs));
        if (failing) logger.info("Redis answers again: the rate limit is shared");
        failing = false;
        return reply;
      } catch (error) {
        fail(error);
        return fallback.take(allowance);
      }
    },
  };
}

async function run(redis: Redis, key: string, limit: number, windowMs: number): Promise<Verdict> {
  const command: unknown = Reflect.get(redis, "kbTakeFromWindow");
  if (typeof command !== "function") throw new Error("the rate limit's command is not defined");
  const reply: unknown = await Reflect.apply(command, redis, [key, limit, windowMs]);
  if (!Array.isArray(reply)) throw new Error("the rate limit's script gave no list");
  const [allowed, remaining, resetMs] = reply.map(Number);
  if (remaining === undefined || resetMs === undefined) throw new Error("the rate limit's script gave a short list");
  return { allowed: allowed === 1, remaining, resetMs };
}

/**
 * Fails at the deadline, but not before what has arrived by then is read: a process that was too busy to read the answer
 * must not take Redis for dead, or the limit would leak just when many come at once.
 */
async function inTime<T>(answer: Promise<T>): Promise<T> {
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
