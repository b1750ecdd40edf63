import { type Actor, activeUser, type Capability, capabilities, holds } from "@kb/auth";
import { empty, type Sql, sql, type Tx } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { requireCapability } from "../require-capability.ts";

/**
 * Lets changes of users and groups run one at a time in a team; call it before any row lock. Returns the caller with
 * their current permissions and the credential of the call, since the change that they waited for may have suspended them or taken
 * permissions away.
 * @throws {ServiceError} `forbidden` when the caller may no longer do this.
 */
export async function lockAuthority({ tx, actor }: WriteContext, needed: Capability): Promise<Actor> {
  await lockPeople(tx, actor.teamId);
  if (actor.credential.kind === "system") return actor;
  const current = await activeUser(tx, actor.teamId, actor.userId);
  requireCapability(current, needed);
  return { ...current, credential: actor.credential };
}

/** Takes the lock of `lockAuthority` for a change that no user of the team makes. */
export async function lockPeople(tx: Tx, teamId: string): Promise<void> {
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`people:${teamId}`}, 0))::text AS "teamId"`);
}

/** The permissions that a user has or would get. */
type Powers = { readonly systemAdmin?: boolean; readonly capabilities: readonly string[] };

const beyond = (authority: Actor, { capabilities: names }: Powers): Capability[] =>
  capabilities.filter((capability) => names.includes(capability) && !holds(authority, capability));

/** The permissions of those who manage people. */
const managing: readonly Capability[] = ["settings.team_edit", "settings.members", "settings.groups"];

/**
 * Requires that the caller holds every permission that they grant. An API key grants none that manage people: they would remain
 * when the key expires or is revoked, and the session of such a user may do more than any key.
 * @throws {ServiceError} `forbidden`
 */
export function requireMayGrant(authority: Actor, granted: readonly string[]): void {
  const missing = beyond(authority, { capabilities: granted });
  if (missing.length > 0) {
    throw new ServiceError("forbidden", `You cannot give permissions that you lack: ${listed(missing)}.`);
  }
  const kept = authority.credential.kind === "api_key" ? managing.filter((each) => granted.includes(each)) : [];
  if (kept.length === 0) return;
  throw new ServiceError("forbidden", `An API key cannot give these permissions: ${listed(kept)}. Use the app.`);
}

const listed = (names: readonly Capability[]): string => names.map((name) => `\`${name}\``).join(", ");

/**
 * Requires that the other user has no permission that the caller lacks: by setting their e-mail address or password,
 * the caller could act as them.
 * @throws {ServiceError} `forbidden`
 */
export function requireNotAbove(authority: Actor, person: Powers): void {
  const above = person.systemAdmin === true && !authority.systemAdmin;
  if (!above && beyond(authority, person).length === 0) return;
  throw new ServiceError("forbidden", "This user has permissions that you lack. Ask somebody who has them.");
}

/**
 * Requires that the team still has an active admin. Call it after a change, under `lockAuthority`.
 * @throws {ServiceError} `conflict`
 */
export async function requireAnAdmin(tx: Tx, teamId: string): Promise<void> {
  if (await hasAdmin(tx, teamId, empty)) return;
  throw new ServiceError("conflict", "This is the last active admin. Make another user an admin first.");
}

/** Whether the team has an active admin beside a user. Call it under `lockAuthority` or `lockPeople`. */
export const hasAnotherAdmin = (tx: Tx, teamId: string, userId: string): Promise<boolean> =>
  hasAdmin(tx, teamId, sql` AND u.id <> ${userId}::uuid`);

async function hasAdmin(tx: Tx, teamId: string, condition: Sql): Promise<boolean> {
  const [admin] = await tx.rows(sql`SELECT 1 FROM groups g
    JOIN memberships m ON m."teamId" = g."teamId" AND m."groupId" = g.id
    JOIN users u ON u."teamId" = m."teamId" AND u.id = m."userId"
    WHERE g."teamId" = ${teamId}::uuid AND g."builtIn" = 'admins' AND u."suspendedAt" IS NULL${condition} LIMIT 1`);
  return admin !== undefined;
}
