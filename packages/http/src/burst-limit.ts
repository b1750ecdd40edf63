import { callerKinds, kindOf, ServiceError } from "@kb/core";
import type { Limiter } from "@kb/runtime";
import type { EdgeContext } from "./edge.ts";

/** Limits how often a caller sends the same value of a field of the input in a short time, beside the window of all their requests. */
export type BurstLimit = { readonly field: string; readonly limit: number; readonly windowMs: number };

/** A longer value is not an id: the operation refuses it. */
const maxIdLength = 36;

/**
 * Counts a call of the operation `name`. The caller is a part of the key, so that nobody uses up the calls of somebody else.
 * @throws {ServiceError} `rate_limited`
 */
export async function countBurst(
  context: EdgeContext,
  limiter: Limiter,
  { name, burst: { field, limit, windowMs } }: { readonly name: string; readonly burst: BurstLimit },
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const caller = context.get("caller");
  const value = input[field];
  if (caller === undefined || typeof value !== "string" || value.length > maxIdLength) return;
  const kind = kindOf(caller);
  const key = `burst:${name}:${kind}:${callerKinds[kind].subject(caller)}:${value.toLowerCase()}`;
  const { allowed, resetMs } = await limiter.take({ key, limit, windowMs });
  if (allowed) return;
  const seconds = windowMs / 1000;
  throw new ServiceError(
    "rate_limited",
    `Too many calls with the same \`${field}\`: ${limit} in ${seconds} seconds are allowed. Wait, then send more at once.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)) },
  );
}
