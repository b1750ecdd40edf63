import { hashPassword } from "@kb/auth";
import { isUniqueViolation, newId, sql, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";
import type { Service } from "../operation.ts";
import { Email, Name, Password, parseField } from "./fields.ts";
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
  const email = parseField("email", Email, input.email);
  const name = parseField("name", Name, input.name);
  const password = input.password === undefined ? null : parseField("password", Password, input.password);
  const team = await findTeam(service, input.team);
  const group = await findGroup(service, team.id, input.group);
  await requireFreeEmail(service, email);
  const passwordHash = password === null ? null : await hashPassword(password);
  const at = service.clock.now();
  const user = { teamId: team.id, email, name, passwordHash, systemAdmin: false, groupId: group.id, at };
  const id = await service.database.transaction((tx) => addUser(tx, user));
  return { id, teamId: team.id, email, name, group: group.name };
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

/** @throws {ServiceError} `conflict` when somebody has the e-mail, in whatever team. */
export async function requireFreeEmail(service: Service, email: string): Promise<void> {
  if ((await lookUp(service, email)) !== null) throw emailTaken(email);
}

const emailTaken = (email: string): ServiceError =>
  new ServiceError("conflict", `There is a user with the e-mail ${email} already.`);

type UserRow = {
  teamId: string;
  email: string;
  name: string;
  passwordHash: string | null;
  systemAdmin: boolean;
  groupId: string;
  at: Date;
};

/** Writes a user and their membership; gives the new id. */
export async function addUser(tx: Tx, { groupId, at, ...user }: UserRow): Promise<string> {
  const id = newId();
  try {
    await tx.user.create({ data: { ...user, id, createdAt: at, updatedAt: at } });
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken(user.email) : error;
  }
  await tx.membership.create({ data: { teamId: user.teamId, userId: id, groupId } });
  return id;
}

type FoundUser = UserSummary & { suspendedAt: Date | null };

async function lookUp(service: Service, email: string): Promise<FoundUser | null> {
  const [row] = await service.database.beforeTeam.rows<FoundUser>(
    sql`SELECT id, "teamId", email, name, "suspendedAt" FROM users WHERE email = ${email}`,
  );
  return row ?? null;
}

/** As `findUser`, but null where nobody has the e-mail. @throws {ServiceError} `validation_error` for none. */
export async function findUserOrNull(service: Service, email: string): Promise<FoundUser | null> {
  return lookUp(service, parseField("email", Email, email));
}

/** @throws {ServiceError} `not_found` when nobody has the e-mail. */
export async function findUser(service: Service, email: string): Promise<FoundUser> {
  const normal = parseField("email", Email, email);
  const found = await lookUp(service, normal);
  if (found === null) throw new ServiceError("not_found", `There is no user with the e-mail ${normal}.`);
  return found;
}

/**
 * Suspends a user: their keys, log-ins and connected apps stop at once. A repeat keeps the first time.
 * @throws {ServiceError} `not_found`.
 */
export async function suspendUser(service: Service, email: string): Promise<UserSummary & { suspendedAt: string }> {
  const user = await findUser(service, email);
  const now = service.clock.now();
  const { teamId, id } = user;
  const at = await service.database.transaction(async (tx) => {
    await tx.user.updateMany({ where: { teamId, id, suspendedAt: null }, data: { suspendedAt: now, updatedAt: now } });
    await endAccess(tx, teamId, id, now);
    const row = await tx.user.findUnique({ where: { teamId_id: { teamId, id } }, select: { suspendedAt: true } });
    return row?.suspendedAt ?? now;
  });
  return { ...user, suspendedAt: at.toISOString() };
}

/**
 * Sets a user's password. Every log-in and every connected app of theirs ends; API keys stay.
 * @throws {ServiceError} `not_found`, `validation_error`.
 */
export async function setPassword(service: Service, email: string, password: string): Promise<FoundUser> {
  const user = await findUser(service, email);
  const passwordHash = await hashPassword(parseField("password", Password, password));
  const { teamId, id } = user;
  const now = service.clock.now();
  await service.database.transaction(async (tx) => {
    await tx.user.update({ where: { teamId_id: { teamId, id } }, data: { passwordHash, updatedAt: now } });
    await endAccess(tx, teamId, id, now);
  });
  return user;
}

/** Ends a user's browser sessions and the grants of their connected apps. */
async function endAccess(tx: Tx, teamId: string, userId: string, now: Date): Promise<void> {
  await tx.browserSession.deleteMany({ where: { teamId, userId } });
  await tx.oauthGrant.updateMany({ where: { teamId, userId, revokedAt: null }, data: { revokedAt: now } });
}
