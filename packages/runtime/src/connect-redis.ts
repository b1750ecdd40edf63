import type { Redis } from "ioredis";
import type { Logger } from "./logger.ts";

/**
 * Connects to Redis for callers that must not wait for it. A command fails at once while there is no connection, and after
 * `commandTimeoutMs` when Redis hangs. Reconnects automatically, at most 2 s after Redis is back.
 */
export async function connectRedis(url: string, logger: Logger, commandTimeoutMs = 5_000): Promise<Redis> {
  // Loaded at its first use, because a service of one process has no Redis, and of the commands only `kb doctor` uses it.
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
    connectionName: "kb",
  });
  // Without a listener ioredis prints every failed attempt. The caller logs what an outage means for it.
  redis.on("error", (error: Error) => logger.debug({ reason: error.message }, "Redis connection"));
  return redis;
}
