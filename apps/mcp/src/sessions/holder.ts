import { isLiveGrant } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Caller } from "../caller.ts";
import type { SessionRecord } from "./backplane.ts";

/**
 * Returns whether the caller may continue a session, which requires the key or grant that started it. An app that
 * obtained more scopes has a new grant but keeps its session, so it may continue while the first grant is active.
 */
export async function isHolder(service: Service, record: SessionRecord, caller: Caller): Promise<boolean> {
  if (record.principal === caller.principal) return true;
  if (record.app === undefined || record.app !== caller.app) return false;
  const grantId = record.principal.slice(record.principal.indexOf(":") + 1);
  const { teamId } = caller.actor;
  return isLiveGrant(service.database, { teamId, grantId }, service.clock.now());
}
