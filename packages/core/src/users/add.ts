import { isUniqueViolation, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";

/** Returns the default name of a user. */
export const nameFrom = (email: string): string => email.slice(0, email.indexOf("@"));

type NewUser = {
  teamId: string;
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  language?: string;
  systemAdmin?: boolean;
  at: Date;
  groupIds: readonly string[];
};

/**
 * Writes a user and their memberships.
 * @throws {ServiceError} `conflict` when a user of any team has the e-mail address.
 */
export async function addUser(tx: Tx, { groupIds, at, ...user }: NewUser): Promise<void> {
  await withFreeEmail(user.email, () => tx.user.create({ data: { ...user, createdAt: at, updatedAt: at } }));
  if (groupIds.length === 0) return;
  const { teamId, id: userId } = user;
  await tx.membership.createMany({ data: groupIds.map((groupId) => ({ teamId, userId, groupId })) });
}

/** Runs a write of an e-mail address. @throws {ServiceError} `conflict` when it is taken. */
export async function withFreeEmail<T>(email: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken(email);
    throw error;
  }
}

/** Returns the error for an e-mail address that another user has. */
export function emailTaken(email: string): ServiceError {
  const message = `A user with the e-mail ${email} already exists.`;
  return new ServiceError("conflict", message, { details: [{ path: "email", message: "Is taken" }] });
}
