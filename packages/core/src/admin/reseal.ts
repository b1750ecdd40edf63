import type { Sealer } from "@kb/auth";
import type { Database } from "@kb/db";
import type { Resealed } from "../reseal-value.ts";
import { resealSecondFactors } from "../second-factor/reseal.ts";
import { resealWebhooks } from "../webhooks/reseal.ts";

/**
 * Reseals the stored secrets from the installation's `previous` secret to its `present` one, so that the previous one can be
 * removed. May run while the service runs, and repeatedly.
 */
export async function resealSecrets(database: Database, present: Sealer, previous: Sealer): Promise<Resealed> {
  const sealers = { present, previous };
  const webhooks = await resealWebhooks(database, sealers);
  const factors = await resealSecondFactors(database, sealers);
  return {
    resealed: webhooks.resealed + factors.resealed,
    current: webhooks.current + factors.current,
    unreadable: webhooks.unreadable + factors.unreadable,
  };
}
