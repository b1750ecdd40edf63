import type { EndGrant, GrantMisuse } from "@kb/auth";
import { endGrant, recordAudit } from "@kb/core";
import type { EdgeContext } from "@kb/http";

/** What the audit log calls the use of what had been used. */
const misuses: Partial<Readonly<Record<GrantMisuse, string>>> = {
  code_reused: "oauth.code_reuse",
  refresh_token_reused: "oauth.refresh_reuse",
};

/** How grants end for what a request shows: with their event, and with an entry in the audit log of who was refused. */
export function endingsOf({ var: { address, requestId } }: EdgeContext, now: Date): EndGrant {
  return async (tx, { teamId, grantId, userId, reason }) => {
    const ended = await endGrant(tx, { teamId, grantId, reason, now, address, requestId });
    const action = misuses[reason];
    // Of many at once one ends it.
    if (ended && action !== undefined) {
      const credential = { kind: "oauth", id: grantId };
      const target = { type: "oauth_grant", id: grantId };
      const at = now;
      await recordAudit(tx, { teamId, userId, at, credential, action, outcome: "denied", target, address, requestId });
    }
  };
}
