import type { Models } from "@kb/db";
import { whereUseDue } from "../last-use.ts";

/** Records the use of a client at most once a minute: clients that are never used are deleted. */
export async function recordClientUse(models: Pick<Models, "oauthClient">, clientId: string, now: Date): Promise<void> {
  await models.oauthClient.updateMany({ where: { id: clientId, ...whereUseDue(now) }, data: { lastUsedAt: now } });
}
