import { type Actor, activeUser, type Capability, capabilities, holds } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";
import type { WriteContext } from "../operation.ts";

/**
 * Who may do what changes one at a time in a team: taken before any row lock. Gives the caller as they are now, since who
 * waited here may have been suspended or stripped by whom they waited for.
 * @throws {ServiceError} `forbidden` when the caller may no longer do this.
 */
export async function lockAuthority({ tx, actor }: WriteContext, needed: Capability): Promise<Actor> {
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`people:${actor.teamId}`}, 0))::text AS "teamId"`);
  if (actor.credential.kind === "system") return actor;
  const current = await activeUser(tx, actor.teamId, actor.userId);
  if (current !== null && holds(current, needed)) return current;
  throw new ServiceError("forbidden", `This needs the permission \`${needed}\`.`);
}

/** What somebody may do, or would be able to. */
type Powers = { readonly systemAdmin?: boolean; readonly capabilities: readonly string[] };

const beyond = (authority: Actor, { capabilities: names }: Powers): Capability[] =>
  capabilities.filter((capability) => names.includes(capability) && !holds(authority, capability));

/** Nobody hands on what they do not hold themselves. @throws {ServiceError} `forbidden` */
export function requireMayGrant(authority: Actor, granted: readonly string[]): void {
  const missing = beyond(authority, { capabilities: granted });
  if (missing.length === 0) return;
  const names = missing.map((capability) => `\`${capability}\``).join(", ");
  throw new ServiceError("forbidden", `You cannot give a permission that you do not hold yourself: ${names}.`);
}

/**
 * Nobody changes somebody who may do more than they may themselves: who sets another's e-mail address or password can
 * become that person.
 * @throws {ServiceError} `forbidden`
 */
export function requireNotAbove(authority: Actor, person: Powers): void {
  const above = person.systemAdmin === true && !authority.systemAdmin;
  if (!above && beyond(authority, person).length === 0) return;
  throw new ServiceError("forbidden", "This person may do more than you: somebody who holds as much has to do this.");
}

/**
 * A team always has an active admin. Asked after a change, under the lock of `lockAuthority`.
 * @throws {ServiceError} `conflict` when the change took the last one.
 */
export async function requireAnAdmin(tx: Tx, teamId: string): Promise<void> {
  const [admin] = await tx.rows(sql`SELECT 1 FROM groups g
    JOIN memberships m ON m."teamId" = g."teamId" AND m."groupId" = g.id
    JOIN users u ON u."teamId" = m."teamId" AND u.id = m."userId"
    WHERE g."teamId" = ${teamId}::uuid AND g."builtIn" = 'admins' AND u."suspendedAt" IS NULL LIMIT 1`);
  if (admin !== undefined) return;
  throw new ServiceError("conflict", "This is the last active admin: make somebody else an admin first.");
}
