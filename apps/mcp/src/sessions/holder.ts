import { isLiveGrant } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Caller } from "../caller.ts";
import type { SessionRecord } from "./backplane.ts";

/**
 * Whether the caller may go on with a session: by the key or grant that began it. An app that was refused for its scope and
 * asked the user for more comes with another grant; no client begins anew then, so it goes on while the first one lives.
 */
export async function isHolder(service: Service, record: SessionRecord, caller: Caller): Promise<boolean> {
  if (record.principal === caller.principal) return true;
  if (record.app === undefined || record.app !== caller.app) return false;
  const grantId = record.principal.slice(record.principal.indexOf(":") + 1);
  const { teamId } = caller.actor;
  return isLiveGrant(service.database, { teamId, grantId }, service.clock.now());
}
