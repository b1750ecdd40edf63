import { noTelemetry, type Telemetry } from "@kb/telemetry";
import type { Redis } from "ioredis";
import type { Logger } from "../log.ts";
import { connectRedis } from "../redis.ts";
import type { Limiter } from "./limiter.ts";
import { measuredLimiter } from "./measured.ts";
import { processLimiter } from "./process.ts";
import { redisLimiter } from "./redis.ts";

/** The limiter that all instances share where there is a Redis; one in this process where there is none. */
export function openLimits(
  redisUrl: string | undefined,
  logger: Logger,
  telemetry: Telemetry = noTelemetry,
): { readonly limiter: Limiter; readonly redis: Redis | undefined } {
  const inProcess = processLimiter();
  if (redisUrl === undefined) return { limiter: measuredLimiter(inProcess, telemetry), redis: undefined };
  const redis = connectRedis(redisUrl, logger);
  const shared = redisLimiter({ redis, fallback: inProcess, logger });
  return { limiter: measuredLimiter(shared, telemetry), redis };
}
