import { hasSecondFactor } from "@kb/auth";
import { sql } from "@kb/db";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { createInvitations } from "../invitations/create.ts";
import { invoke } from "../invoke.ts";
import { Email } from "../schema/names.ts";
import { createPasswordLink as createLink } from "../users/create-password-link.ts";
import { inviteUser } from "../users/invite.ts";
import { resetPassword } from "../users/reset-password.ts";
import { resetSecondFactor as resetFactor } from "../users/reset-second-factor.ts";
import { suspendUser as suspendUserById, unsuspendUser as unsuspendUserById } from "../users/suspend.ts";
import { systemActor } from "./actor.ts";
import { parseField } from "./fields.ts";
import { findGroup, findTeam } from "./find.ts";

/** A user as the command line shows it. */
export type UserSummary = { id: string; teamId: string; email: string; name: string };

/** The input of `createUser`. */
export type NewUser = {
  email: string;
  name: string;
  /** The name of a group of the team, in any case. */
  group: string;
  password?: string | undefined;
  team?: string | undefined;
};

/**
 * Creates a user in a group of a team. A user without a password may own API keys but cannot log in.
 * @throws {ServiceError} `validation_error`, `not_found` for the team or the group, `conflict` when the e-mail address
 * is taken.
 */
export async function createUser(service: Service, input: NewUser): Promise<UserSummary & { group: string }> {
  const { email, name, password = null } = input;
  const { id: teamId } = await findTeam(service, input.team);
  const group = await findGroup(service, teamId, input.group);
  const actor = await systemActor(service, teamId);
  const { user } = await invoke(service, inviteUser, actor, { email, name, groupIds: [group.id], password });
  return { id: user.id, teamId, email: user.email, name: user.name, group: group.name };
}

type FoundUser = UserSummary & { suspendedAt: Date | null };

/**
 * Like `findUser`, but returns null when no user has the e-mail address.
 * @throws {ServiceError} `validation_error` for an invalid address.
 */
export async function findUserOrNull(service: Service, email: string): Promise<FoundUser | null> {
  const normal = parseField("email", Email, email);
  const [found] = await service.database.beforeTeam.rows<FoundUser>(
    sql`SELECT id, "teamId", email, name, "suspendedAt" FROM users WHERE email = ${normal}`,
  );
  return found ?? null;
}

/** Finds a user by e-mail address. @throws {ServiceError} `not_found` */
export async function findUser(service: Service, email: string): Promise<FoundUser> {
  const found = await findUserOrNull(service, email);
  if (found !== null) return found;
  throw new ServiceError("not_found", `There is no user with the e-mail ${email.trim().toLowerCase()}.`);
}

/**
 * Suspends a user: their keys, sessions and connected apps stop working at once. A repeat keeps the time of the first
 * call.
 * @throws {ServiceError} `not_found`, `conflict` for the last active admin of a team.
 */
export async function suspendUser(
  service: Service,
  email: string,
): Promise<UserSummary & { suspendedAt: string | null }> {
  const user = await findUser(service, email);
  const actor = await systemActor(service, user.teamId);
  const { suspendedAt } = await invoke(service, suspendUserById, actor, { id: user.id });
  const { id, teamId, name } = user;
  return { id, teamId, email: user.email, name, suspendedAt };
}

/**
 * Reactivates a suspended user, with their API keys. A repeat changes nothing.
 * @throws {ServiceError} `not_found`
 */
export async function unsuspendUser(service: Service, email: string): Promise<UserSummary> {
  const { id, teamId, name, email: stored } = await findUser(service, email);
  await invoke(service, unsuspendUserById, await systemActor(service, teamId), { id });
  return { id, teamId, email: stored, name };
}

/** The input of `inviteUsers`. */
export type NewInvitations = {
  readonly emails: readonly string[];
  /** The name of a group of the team, in any case. Default: Members. */
  readonly group?: string | undefined;
  /** The language of the mails. Default: English. */
  readonly language?: string | undefined;
  readonly team?: string | undefined;
};

/** An invitation; `link` is null where it was mailed. */
export type InvitationSummary = { id: string; email: string; expiresAt: string; link: string | null };

/**
 * Invites people by links, which are mailed where `service.mail` is set. Addresses of members are in `members`.
 * @throws {ServiceError} `validation_error`, `not_found` for the team or the group.
 */
export async function inviteUsers(
  service: Service,
  { emails, group, language, team }: NewInvitations,
): Promise<{ invitations: InvitationSummary[]; members: string[] }> {
  const { id: teamId } = await findTeam(service, team);
  const groupIds = group === undefined ? undefined : [(await findGroup(service, teamId, group)).id];
  const actor = await systemActor(service, teamId);
  const invited = await invoke(service, createInvitations, actor, { emails: [...emails], groupIds, language });
  const invitations = invited.invitations.map(({ id, email, expiresAt, link }) => ({ id, email, expiresAt, link }));
  return { invitations, members: invited.members };
}

/**
 * Gives a user a link to set their password, for an hour; null where it was mailed.
 * @throws {ServiceError} `not_found`, `conflict` for a suspended user.
 */
export async function createPasswordLink(service: Service, email: string): Promise<string | null> {
  const { id, teamId } = await findUser(service, email);
  return (await invoke(service, createLink, await systemActor(service, teamId), { id })).link;
}

/**
 * Removes the second factor of a user who lost it, and ends their sessions; returns whether there was one.
 * @throws {ServiceError} `not_found`
 */
export async function resetSecondFactor(
  service: Service,
  email: string,
): Promise<UserSummary & { readonly removed: boolean }> {
  const { id, teamId, name, email: stored } = await findUser(service, email);
  const removed = await hasSecondFactor(service.database, { teamId, userId: id });
  await invoke(service, resetFactor, await systemActor(service, teamId), { id });
  return { id, teamId, email: stored, name, removed };
}

/**
 * Sets a user's password. Ends all of their sessions and connected apps; API keys stay.
 * @throws {ServiceError} `not_found`, `validation_error`.
 */
export async function setPassword(service: Service, email: string, password: string): Promise<FoundUser> {
  const user = await findUser(service, email);
  await invoke(service, resetPassword, await systemActor(service, user.teamId), { id: user.id, password });
  return user;
}
