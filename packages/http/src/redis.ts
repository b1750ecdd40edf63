import { Redis } from "ioredis";
import type { Logger } from "pino";

/**
 * Connects to Redis for things that must not wait for it: a command fails at once while there is no connection, and
 * after `commandTimeoutMs` where Redis hangs; who cannot wait so long has a deadline of their own. It reconnects by
 * itself, at most 2 s after Redis is back.
 */
export function connectRedis(url: string, logger: Logger, commandTimeoutMs = 5_000): Redis {
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
    connectionName: "kb",
  });
  // Without a listener ioredis prints every failed attempt; who uses the connection says what an outage means.
  redis.on("error", (error: Error) => logger.debug({ reason: error.message }, "Redis connection"));
  return redis;
}
