import type { Actor } from "@kb/auth";
import type { Tx } from "@kb/db";
import { notFound } from "../errors.ts";
import { requireAnAdmin, requireMayGrant } from "./authority.ts";
import type { UserRow } from "./user.ts";

/**
 * Reads the groups that a user is to join.
 * @throws {ServiceError} `not_found` for a group that is not of the team, `forbidden` for one with permissions that the
 * caller lacks.
 */
export async function requireGroups(
  tx: Tx,
  authority: Actor,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { teamId } = authority;
  const select = { id: true, name: true, capabilities: true };
  const groups = await tx.group.findMany({ where: { teamId, id: { in: [...ids] } }, select, orderBy: { name: "asc" } });
  if (groups.length < ids.length) throw notFound("Group");
  requireMayGrant(
    authority,
    groups.flatMap((group) => group.capabilities),
  );
  return groups.map(({ id, name }) => ({ id, name }));
}

/**
 * Sets the groups of a user. Groups that they are already in need no permission. Returns whether anything has changed.
 * @throws {ServiceError} as `requireGroups`, and `conflict` when no active admin would be left.
 */
export async function setGroups(tx: Tx, authority: Actor, user: UserRow, ids: readonly string[]): Promise<boolean> {
  const { teamId } = authority;
  const current = user.groups.map((group) => group.id);
  const added = ids.filter((id) => !current.includes(id));
  const removed = current.filter((id) => !ids.includes(id));
  if (added.length + removed.length === 0) return false;
  await requireGroups(tx, authority, added);
  if (removed.length > 0) {
    await tx.membership.deleteMany({ where: { teamId, userId: user.id, groupId: { in: removed } } });
  }
  if (added.length > 0) {
    await tx.membership.createMany({ data: added.map((groupId) => ({ teamId, userId: user.id, groupId })) });
  }
  await requireAnAdmin(tx, teamId);
  return true;
}

/** Returns the group that people join by default. */
export async function findMembersGroup(tx: Tx, teamId: string): Promise<string> {
  const where = { teamId_builtIn: { teamId, builtIn: "members" } };
  const group = await tx.group.findUnique({ where, select: { id: true } });
  if (group === null) throw new Error("the team has no group of members");
  return group.id;
}
