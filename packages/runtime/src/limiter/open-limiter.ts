import { noTelemetry, type Telemetry } from "@kb/telemetry";
import type { Redis } from "ioredis";
import { connectRedis } from "../connect-redis.ts";
import type { Logger } from "../logger.ts";
import type { Limiter } from "./limiter.ts";
import { measuredLimiter } from "./measured-limiter.ts";
import { processLimiter } from "./process-limiter.ts";
import { redisLimiter } from "./redis-limiter.ts";

/** Opens the limiter that all instances share through Redis, or one in this process where there is no Redis. */
export async function openLimiter(
  redisUrl: string | undefined,
  logger: Logger,
  telemetry: Telemetry = noTelemetry,
): Promise<{ readonly limiter: Limiter; readonly redis: Redis | undefined }> {
  const inProcess = processLimiter();
  if (redisUrl === undefined) return { limiter: measuredLimiter(inProcess, telemetry), redis: undefined };
  const redis = await connectRedis(redisUrl, logger);
  const shared = redisLimiter({ redis, fallback: inProcess, logger });
  return { limiter: measuredLimiter(shared, telemetry), redis };
}
