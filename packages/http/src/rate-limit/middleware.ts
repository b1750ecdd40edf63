import { ServiceError } from "@kb/core";
import type { EdgeContext, EdgeMiddleware } from "../edge.ts";
import { type ClientIp, clientNetwork } from "./client-ip.ts";
import type { Limiter } from "./limiter.ts";

const windowMs = 60_000;

/** Where requests are counted, and how many a minute are allowed. */
export type RateLimitOptions = {
  readonly limiter: Limiter;
  readonly perMinute: number;
  readonly clientIp: ClientIp;
};

/** Who is known: a user by all of their credentials together, the reader of a channel by the token. */
function subjectOf({ var: { actor, channel } }: EdgeContext): string | undefined {
  if (channel !== undefined) return `channel:${channel.credential.id}`;
  return actor === undefined ? undefined : `user:${actor.userId}`;
}

/**
 * Counts each request: for whom `identify` found, else for its client.
 * `X-RateLimit-Reset` is the Unix time, in seconds, at which the oldest counted request leaves the window.
 * @throws {ServiceError} `rate_limited`.
 */
export function rateLimit(options: RateLimitOptions): EdgeMiddleware {
  return async (context, next) => {
    await countRequest(context, options);
    await next();
  };
}

/** Counts one; an edge whose requests may carry several calls counts each of the others by itself. */
export async function countRequest(context: EdgeContext, options: RateLimitOptions): Promise<void> {
  const { limiter, perMinute, clientIp } = options;
  const key = subjectOf(context) ?? `ip:${clientNetwork(clientIp(context))}`;
  const { allowed, remaining, resetMs } = await limiter.take({ key, limit: perMinute, windowMs });
  context.set("allowance", { limit: perMinute, remaining: Math.max(0, remaining) });
  context.header("X-RateLimit-Limit", String(perMinute));
  context.header("X-RateLimit-Remaining", String(Math.max(0, remaining)));
  context.header("X-RateLimit-Reset", String(Math.ceil((Date.now() + resetMs) / 1000)));
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new ServiceError("rate_limited", `Too many requests: ${perMinute} a minute are allowed.`, {
    retryAfterSeconds,
  });
}
