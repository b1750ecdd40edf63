import type { WriteContext } from "../context.ts";
import { type Growth, isLimited } from "../quotas/require-quota.ts";

/** Returns whether no statement follows a change in its transaction: no idempotency key to record, no quota to check. */
export const endsTransaction = (context: WriteContext, growth: Growth): boolean =>
  context.call.idempotency === undefined && !isLimited(context, growth);
