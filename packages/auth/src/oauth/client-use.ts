import type { Models } from "@kb/db";
import { whereUseDue } from "../last-use.ts";

/** Notes that somebody uses an app: one that is never used is soon forgotten. At most once a minute. */
export async function noteClientUse(models: Pick<Models, "oauthClient">, clientId: string, now: Date): Promise<void> {
  await models.oauthClient.updateMany({ where: { id: clientId, ...whereUseDue(now) }, data: { lastUsedAt: now } });
}
