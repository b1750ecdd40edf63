import { type Actor, credentialKey, liveCredentials } from "@kb/auth";
import type { Service } from "@kb/core";
import type { OpenStream } from "./open-stream.ts";

/**
 * Ends the streams of a credential that was revoked, ended or expired, of a user who was suspended, and the streams of
 * assistants whose team switched MCP off. Reports the rights of the others. One statement for all streams.
 */
export async function endStale(
  { database, clock }: Pick<Service, "database" | "clock">,
  open: readonly OpenStream[],
): Promise<void> {
  const callers = new Map<string, Actor>(open.map(({ actor }) => [credentialKey(actor), actor]));
  const live = await liveCredentials(database, [...callers.values()], clock.now());
  for (const { actor, openedAt, end, expire = end, checkRights } of open) {
    const found = live.get(credentialKey(actor));
    if (found === undefined || (found.switchedAt !== null && found.switchedAt > openedAt)) expire();
    else checkRights?.(found.rights);
  }
}
