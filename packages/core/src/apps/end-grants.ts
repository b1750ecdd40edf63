import { type GrantRef, unnamedApp } from "@kb/auth";
import { empty, sql, stampChange, stampMoment, type Tx } from "@kb/db";
import { auditSubject } from "../audit/denial.ts";
import { insertAudit } from "../audit/entry.ts";
import { type Emitter, emit } from "../events.ts";
import type { Call } from "../operation.ts";

/** Why an app lost what a user had granted it. */
export type EndOfGrant =
  | "revoked"
  | "user_suspended"
  | "password_changed"
  | "mcp_disabled"
  | "token_revoked"
  | "code_reused"
  | "refresh_token_reused";

/** Which grants of a team: one, those of a user, or (with neither) all. */
type WhichGrants = {
  readonly teamId: string;
  readonly grantId?: string | undefined;
  readonly userId?: string | undefined;
};

/** Who ends grants, why, and when; `call` is where the request came from. */
type Ending = {
  readonly reason: EndOfGrant;
  readonly by: Emitter;
  readonly now: Date;
  readonly call: Pick<Call, "address" | "requestId">;
};

type GrantRow = { readonly id: string; readonly userId: string; readonly clientId: string; readonly name: string };

/**
 * The one way in which grants end before their time, whatever for: their tokens and streams stop with them, subscribers
 * hear of it, and the audit log has it. Gives how many had not ended before.
 */
export async function endGrants(tx: Tx, which: WhichGrants, { reason, by, now, call }: Ending): Promise<number> {
  const { teamId } = which;
  // The team's clock first, as everybody takes it who allows or ends something: those who meet here take turns.
  const at = await stampMoment(tx, teamId, now);
  const ended = await markEnded(tx, which, at);
  if (ended.length === 0) return 0;
  // One that had run out ended without a word, and stays so.
  const living = await tx.rows<GrantRow>(sql`
    SELECT g.id, g."userId", g."clientId", COALESCE(c.name, ${unnamedApp}) AS name
    FROM oauth_grants g JOIN oauth_clients c ON c.id = g."clientId"
    WHERE g."teamId" = ${teamId}::uuid AND g.id = ANY(${ended}::uuid[])
      AND g."expiresAt" > ${now} ORDER BY g.id`);
  if (living.length === 0) return ended.length;
  const stamp = await stampChange(tx, teamId, now, living.length);
  const happenings = living.map((grant) => ({ type: "app.revoked" as const, data: { ...grant, reason } }));
  await emit(tx, by, stamp, happenings);
  const entries = living.map(({ id, userId, clientId }) => ({
    ...{ ...auditSubject(by), at: stamp.at, action: "oauth.revoke", outcome: "success" as const },
    ...{ target: { type: "oauth_grant", id }, details: { reason, userId, clientId } },
    ...{ address: call.address, requestId: call.requestId },
  }));
  await tx.execute(insertAudit(entries));
  return ended.length;
}

/** Ends them in the database: what every look-up of a token asks. Gives the ids of those that had not ended before. */
async function markEnded(tx: Tx, { teamId, grantId, userId }: WhichGrants, at: Date): Promise<string[]> {
  const one = grantId === undefined ? empty : sql` AND id = ${grantId}::uuid`;
  const ofUser = userId === undefined ? empty : sql` AND "userId" = ${userId}::uuid`;
  const ended = await tx.rows<{ id: string }>(sql`UPDATE oauth_grants SET "revokedAt" = ${at}
    WHERE "teamId" = ${teamId}::uuid AND "revokedAt" IS NULL${one}${ofUser} RETURNING id`);
  return ended.map(({ id }) => id);
}

/** A grant, and what happened with it. */
type EndingOfOne = GrantRef & { readonly reason: "token_revoked" | "code_reused" | "refresh_token_reused" };

type OwnerRow = { readonly userId: string; readonly userName: string; readonly clientName: string };

/**
 * Ends one grant for what happened at the authorization server: its client revoked a token, or somebody used a code or a
 * refresh token twice, of whom nobody knows who it was. False where it had ended before.
 */
export async function endGrant(
  tx: Tx,
  { teamId, grantId, reason, now, ...call }: EndingOfOne & Pick<Ending, "now"> & Ending["call"],
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
  const by = { teamId, userId, userName, credential };
  return (await endGrants(tx, { teamId, grantId }, { reason, by, now, call })) > 0;
}
