import type { EndGrant, GrantMisuse } from "@kb/auth";
import { endGrant, recordAudit } from "@kb/core";
import type { EdgeContext } from "@kb/http";

/** Actions in the audit log for the reuse of a code or refresh token. */
const misuseActions: Partial<Readonly<Record<GrantMisuse, string>>> = {
  code_reused: "oauth.code_reuse",
  refresh_token_reused: "oauth.refresh_reuse",
};

/** Returns the function that ends a grant because of this request, with its event and, for a misuse, an audit entry. */
export function grantEnder({ var: { address, requestId } }: EdgeContext, now: Date): EndGrant {
  return async (tx, { teamId, grantId, userId, reason }) => {
    const ended = await endGrant(tx, { teamId, grantId, reason, now, address, requestId });
    const action = misuseActions[reason];
    // Of many requests at once, only the one that ended the grant is recorded.
    if (!ended || action === undefined) return;
    await recordAudit(tx, {
      teamId,
      userId,
      at: now,
      credential: { kind: "oauth", id: grantId },
      action,
      outcome: "denied",
      target: { type: "oauth_grant", id: grantId },
      address,
      requestId,
    });
  };
}
