import { type GrantRef, unnamedApp } from "@kb/auth";
import { empty, sql, stampChange, stampMoment, type Tx } from "@kb/db";
import { auditSubject } from "../audit/record-denial.ts";
import type { WriteContext } from "../context.ts";
import type { Emitter } from "../events.ts";
import { withOutbox } from "../outbox.ts";

/** The reason for which an app lost its grant. */
export type EndOfGrant =
  | "revoked"
  | "user_suspended"
  | "password_changed"
  | "second_factor_set_up"
  | "mcp_disabled"
  | "app_refused"
  | "token_revoked"
  | "code_reused"
  | "refresh_token_reused";

/** Selects grants of a team: one, those of a user or of an app, or all when none is named. */
type GrantSelection = {
  readonly grantId?: string | undefined;
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
};

/** The part of a write context that ending grants needs. The authorization server has no actor of its own. */
export type EndingContext = Pick<WriteContext, "tx" | "outbox" | "now"> & {
  readonly actor: Emitter;
  readonly call: Pick<WriteContext["call"], "address" | "requestId">;
};

type GrantRow = { readonly id: string; readonly userId: string; readonly clientId: string; readonly name: string };

/**
 * Ends grants before they expire; the only way to do so. Their tokens and streams end too, subscribers receive events,
 * and the audit log records each grant. Returns the number of grants that had not ended before.
 */
export async function endGrants(
  { tx, outbox, actor, now, call }: EndingContext,
  selection: GrantSelection,
  reason: EndOfGrant,
): Promise<number> {
  const { teamId } = actor;
  // Locks the team's clock first, like everything that allows or ends access, so that concurrent changes run one by
  // one.
  const at = await stampMoment(tx, teamId, now);
  const ended = await markEnded(tx, teamId, selection, at);
  if (ended.length === 0) return 0;
  // A grant that had expired ended without an event, and gets none now.
  const living = await tx.rows<GrantRow>(sql`
    SELECT g.id, g."userId", g."clientId", COALESCE(c.name, ${unnamedApp}) AS name
    FROM oauth_grants g JOIN oauth_clients c ON c.id = g."clientId"
    WHERE g."teamId" = ${teamId}::uuid AND g.id = ANY(${ended}::uuid[])
      AND g."expiresAt" > ${now} ORDER BY g.id`);
  if (living.length === 0) return ended.length;
  const stamp = await stampChange(tx, teamId, now, living.length);
  const events = living.map((grant) => ({ type: "app.revoked" as const, data: { ...grant, reason } }));
  outbox.emit(stamp, events);
  const entries = living.map(({ id, userId, clientId }) => ({
    ...auditSubject(actor),
    at: stamp.at,
    action: "oauth.revoke",
    outcome: "success" as const,
    target: { type: "oauth_grant", id },
    address: call.address,
    requestId: call.requestId,
    details: { reason, userId, clientId },
  }));
  outbox.audit(entries);
  return ended.length;
}

/** Marks grants as ended, which every token look-up checks. Returns the ids of those that had not ended before. */
async function markEnded(tx: Tx, teamId: string, selection: GrantSelection, at: Date): Promise<string[]> {
  const { grantId, userId, clientId } = selection;
  const one = grantId === undefined ? empty : sql` AND id = ${grantId}::uuid`;
  const ofUser = userId === undefined ? empty : sql` AND "userId" = ${userId}::uuid`;
  const ofClient = clientId === undefined ? empty : sql` AND "clientId" = ${clientId}`;
  const ended = await tx.rows<{ id: string }>(sql`UPDATE oauth_grants SET "revokedAt" = ${at}
    WHERE "teamId" = ${teamId}::uuid AND "revokedAt" IS NULL${one}${ofUser}${ofClient} RETURNING id`);
  return ended.map(({ id }) => id);
}

/** A grant and the reason for ending it. */
type EndingOfOne = GrantRef & { readonly reason: "token_revoked" | "code_reused" | "refresh_token_reused" };

type OwnerRow = { readonly userId: string; readonly userName: string; readonly clientName: string };

/**
 * Ends one grant for an event at the authorization server: its client revoked a token, or an unknown party used a code
 * or a refresh token twice. Returns false when the grant had ended before.
 */
export async function endGrant(
  tx: Tx,
  { teamId, grantId, reason, now, ...call }: EndingOfOne & Pick<EndingContext, "now"> & EndingContext["call"],
): Promise<boolean> {
  const [owner] = await tx.rows<OwnerRow>(sql`
    SELECT g."userId", u.name AS "userName", COALESCE(c.name, ${unnamedApp}) AS "clientName"
    FROM oauth_grants g JOIN oauth_clients c ON c.id = g."clientId"
    JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId"
    WHERE g."teamId" = ${teamId}::uuid AND g.id = ${grantId}::uuid`);
  if (owner === undefined) return false;
  const { userId, userName, clientName } = owner;
  const credential =
    reason === "token_revoked"
      ? ({ kind: "oauth", id: grantId, name: clientName } as const)
      : ({ kind: "system", id: "oauth", name: "Authorization server" } as const);
  const actor = { teamId, userId, userName, credential };
  const count = await withOutbox(tx, actor, (outbox) =>
    endGrants({ tx, outbox, actor, now, call }, { grantId }, reason),
  );
  return count > 0;
}
