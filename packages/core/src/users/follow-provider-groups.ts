import { stampMoment, type Tx } from "@kb/db";
import { insertAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { hasAnotherAdmin, lockPeople } from "./authority.ts";

/** The names of groups that a claim of the single sign-on decides about, and of those that it gives to a user, in any case. */
export type ProviderGroups = { readonly decided: readonly string[]; readonly given: readonly string[] };

/** A user who logs in by single sign-on, and how they came. */
type LogIn = {
  readonly teamId: string;
  readonly userId: string;
  readonly address: string;
  readonly requestId: string;
};

/** The result of following a claim, for the log of the operator. */
export type FollowedGroups = {
  /** Names that no group of the team has. */
  readonly unknown: readonly string[];
  /** Whether the user stays an admin, although the claim says otherwise, because no other one is active. */
  readonly isLastAdmin: boolean;
};

/** The groups that the team has under the decided names, and what the claim changes. */
type Plan = {
  readonly unknown: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The group of admins, if the claim takes it away. */
  readonly lostAdmins: string | undefined;
};

/**
 * Sets the membership of a user in the groups that a claim of the single sign-on decides about; other groups stay. The last active
 * admin stays one. The audit log records what has changed.
 */
export async function followProviderGroups(
  { database, clock }: Pick<Service, "database" | "clock">,
  logIn: LogIn,
  groups: ProviderGroups,
): Promise<FollowedGroups> {
  const seen = await database.transaction((tx) => planGroups(tx, logIn, groups));
  // Most log-ins change nothing, and wait for nobody.
  if (seen.added.length + seen.removed.length === 0) return { unknown: seen.unknown, isLastAdmin: false };
  return await database.transaction(async (tx) => {
    await lockPeople(tx, logIn.teamId);
    const plan = await planGroups(tx, logIn, groups);
    const { lostAdmins } = plan;
    const isLastAdmin = lostAdmins !== undefined && !(await hasAnotherAdmin(tx, logIn.teamId, logIn.userId));
    const removed = plan.removed.filter((id) => !(isLastAdmin && id === lostAdmins));
    await change(tx, logIn, { added: plan.added, removed }, isLastAdmin, clock.now());
    return { unknown: plan.unknown, isLastAdmin };
  });
}

const sameName = (name: string): string => name.trim().toLowerCase();

async function planGroups(tx: Tx, { teamId, userId }: LogIn, { decided, given }: ProviderGroups): Promise<Plan> {
  const select = { id: true, name: true, builtIn: true, memberships: { where: { userId }, select: { userId: true } } };
  const groups = await tx.group.findMany({ where: { teamId }, select, orderBy: { id: "asc" } });
  const names = new Set(groups.map(({ name }) => sameName(name)));
  const ofClaim = new Set(decided.map(sameName));
  const ofUser = new Set(given.map(sameName));
  const under = groups.filter(({ name }) => ofClaim.has(sameName(name)));
  const added = under.filter(({ name, memberships }) => ofUser.has(sameName(name)) && memberships.length === 0);
  const removed = under.filter(({ name, memberships }) => !ofUser.has(sameName(name)) && memberships.length > 0);
  return {
    unknown: decided.filter((name) => !names.has(sameName(name))),
    added: added.map(({ id }) => id),
    removed: removed.map(({ id }) => id),
    lostAdmins: removed.find(({ builtIn }) => builtIn === "admins")?.id,
  };
}

type Change = { readonly added: readonly string[]; readonly removed: readonly string[] };

async function change(
  tx: Tx,
  { teamId, userId, address, requestId }: LogIn,
  { added, removed }: Change,
  isLastAdmin: boolean,
  now: Date,
): Promise<void> {
  const isChanged = added.length + removed.length > 0;
  if (!isChanged && !isLastAdmin) return;
  if (isChanged) {
    const updatedAt = await stampMoment(tx, teamId, now);
    await tx.membership.deleteMany({ where: { teamId, userId, groupId: { in: [...removed] } } });
    await tx.membership.createMany({ data: added.map((groupId) => ({ teamId, userId, groupId })) });
    const where = { teamId_id: { teamId, id: userId } };
    await tx.user.update({ where, data: { updatedAt }, select: { id: true } });
  }
  const kept = isLastAdmin ? { kept: "last_admin" } : {};
  const entry = { teamId, at: now, userId, credential: null, address, requestId, outcome: "success" } as const;
  const target = { type: "user", id: userId };
  const details = { method: "single_sign_on", added, removed, ...kept };
  await tx.execute(insertAudit([{ ...entry, action: "users.groups", target, details }]));
}
