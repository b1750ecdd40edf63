import { sql } from "@kb/db";
import { ServiceError } from "../errors.ts";
import { invoke } from "../invoke.ts";
import type { Service } from "../operation.ts";
import { Email } from "../schema/names.ts";
import { inviteUser } from "../users/invite.ts";
import { resetPassword } from "../users/reset-password.ts";
import { suspendUser as suspendUserById } from "../users/suspend.ts";
import { systemActor } from "./actor.ts";
import { parseField } from "./fields.ts";
import { findTeam } from "./find.ts";

/** A user as the command line shows it. */
export type UserSummary = { id: string; teamId: string; email: string; name: string };

export type NewUser = {
  email: string;
  name: string;
  /** The name of one of the team's groups, in any case. */
  group: string;
  password?: string | undefined;
  team?: string | undefined;
};

/**
 * Creates a user in a group of a team. Without a password they hold API keys, but cannot log in until one is set.
 * @throws {ServiceError} `validation_error`, `not_found` for the team or the group, `conflict` when the e-mail is taken.
 */
export async function createUser(service: Service, input: NewUser): Promise<UserSummary & { group: string }> {
  const { email, name, password = null } = input;
  const { id: teamId } = await findTeam(service, input.team);
  const group = await findGroup(service, teamId, input.group);
  const actor = await systemActor(service, teamId);
  const { user } = await invoke(service, inviteUser, actor, { email, name, groupIds: [group.id], password });
  return { id: user.id, teamId, email: user.email, name: user.name, group: group.name };
}

async function findGroup(service: Service, teamId: string, given: string): Promise<{ id: string; name: string }> {
  const select = { id: true, name: true };
  const groups = await service.database.client.group.findMany({ where: { teamId }, select, orderBy: { id: "asc" } });
  const wanted = given.trim().toLowerCase();
  const found = groups.find((group) => group.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = groups.map((group) => group.name).join(", ");
  throw new ServiceError("not_found", `There is no group "${given}" in this team. There are: ${names}.`);
}

type FoundUser = UserSummary & { suspendedAt: Date | null };

/** As `findUser`, but null where nobody has the e-mail. @throws {ServiceError} `validation_error` for none. */
export async function findUserOrNull(service: Service, email: string): Promise<FoundUser | null> {
  const normal = parseField("email", Email, email);
  const [found] = await service.database.beforeTeam.rows<FoundUser>(
    sql`SELECT id, "teamId", email, name, "suspendedAt" FROM users WHERE email = ${normal}`,
  );
  return found ?? null;
}

/** @throws {ServiceError} `not_found` when nobody has the e-mail. */
export async function findUser(service: Service, email: string): Promise<FoundUser> {
  const found = await findUserOrNull(service, email);
  if (found !== null) return found;
  throw new ServiceError("not_found", `There is no user with the e-mail ${email.trim().toLowerCase()}.`);
}

/**
 * Suspends a user: their keys, log-ins and connected apps stop at once. A repeat keeps the first time.
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
 * Sets a user's password. Every log-in and every connected app of theirs ends; API keys stay.
 * @throws {ServiceError} `not_found`, `validation_error`.
 */
export async function setPassword(service: Service, email: string, password: string): Promise<FoundUser> {
  const user = await findUser(service, email);
  await invoke(service, resetPassword, await systemActor(service, user.teamId), { id: user.id, password });
  return user;
}
