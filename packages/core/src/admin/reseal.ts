import type { Database } from "@kb/db";
import { resealMails } from "../mail/reseal.ts";
import type { Resealed, Sealers } from "../reseal-value.ts";
import { resealSecondFactors } from "../second-factor/reseal.ts";
import { resealWebhooks } from "../webhooks/reseal.ts";

/** The sealers of the installation, for each purpose: of webhooks and second factors, and of mails. */
export type SealersByPurpose = { readonly webhooks: Sealers; readonly mails: Sealers };

/**
 * Reseals the stored secrets from the installation's previous secret to its present one, so that the previous one can be
 * removed. May run while the service runs, and repeatedly.
 */
export async function resealSecrets(database: Database, sealers: SealersByPurpose): Promise<Resealed> {
  const done = [
    await resealWebhooks(database, sealers.webhooks),
    await resealSecondFactors(database, sealers.webhooks),
    await resealMails(database, sealers.mails),
  ];
  const sum = (of: keyof Resealed): number => done.reduce((total, each) => total + each[of], 0);
  return { resealed: sum("resealed"), current: sum("current"), unreadable: sum("unreadable") };
}
