import type { Allowance, Limiter } from "@kb/runtime";
import { OauthError } from "./oauth-error.ts";

/** Counts one request. @throws {OauthError} `too_many_requests` (429 with `Retry-After`) beyond the limit. */
export async function requireWithinLimit(limiter: Limiter, counted: Allowance, message: string): Promise<void> {
  const { allowed, resetMs } = await limiter.take(counted);
  if (allowed) return;
  throw new OauthError("too_many_requests", message, {
    status: 429,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(resetMs / 1000))) },
  });
}
