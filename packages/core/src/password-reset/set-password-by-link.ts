import { activeUser, hashLinkToken, hashPassword, holds, isLinkToken } from "@kb/auth";
import { sql, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import { insertAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { parseInput } from "../input-error.ts";
import { transactionWithOutbox } from "../outbox.ts";
import { Password } from "../schema/names.ts";
import { endAccess } from "../sessions/end-access.ts";
import { usesPasswords } from "../sessions/require-passwords.ts";
import { lockPeople, requireNotAbove } from "../users/authority.ts";
import { requireStrongPassword } from "../users/require-strong-password.ts";
import { requireUser } from "../users/user.ts";

type Found = { readonly teamId: string; readonly userId: string; readonly name: string; readonly email: string };

/** Finds the user of a link for a forgotten password; null for an unknown, used or expired one, or after a change of address. */
export async function findPasswordReset(
  { database, clock }: Pick<Service, "database" | "clock">,
  token: string,
): Promise<Found | null> {
  if (!isLinkToken(token)) return null;
  const [row] = await database.beforeTeam.rows<Found>(sql`
    SELECT r."teamId", r."userId", u.name, u.email
    FROM password_resets r JOIN users u ON u."teamId" = r."teamId" AND u.id = r."userId"
    WHERE r.hash = ${hashLinkToken("password_reset", token)} AND r."expiresAt" > ${clock.now()}
      AND u.email = r.email AND u."suspendedAt" IS NULL`);
  return row ?? null;
}

/** What a person enters at the page of the link, and how they came. */
export type NewPassword = {
  readonly token: string;
  readonly password: string;
  readonly address: string;
  readonly requestId: string;
};

const Entered = z.object({ password: Password });

/**
 * Sets the password of the link's user, which ends the link, all sessions and all connected apps; API keys stay. Returns whether the
 * link was valid, which none is where passwords are switched off. Of many at once, one succeeds.
 * @throws {ServiceError} `validation_error` for the password.
 * @throws {BusyError} if too many passwords are waiting to be hashed.
 */
export async function setPasswordByLink(service: Service, given: NewPassword): Promise<boolean> {
  const found = await findPasswordReset(service, given.token);
  if (found === null || !usesPasswords(service)) return false;
  const { password } = parseInput(Entered, { password: given.password });
  await requireStrongPassword("password", password, found);
  const passwordHash = await hashPassword(password);
  const { teamId, userId, name: userName } = found;
  const credential = { kind: "system", id: "password_reset", name: "Forgotten password" } as const;
  const actor = { teamId, userId, userName, credential };
  const { address, requestId } = given;
  return await transactionWithOutbox(service.database, actor, async (tx, outbox) => {
    const now = service.clock.now();
    await lockPeople(tx, teamId);
    const at = await stampMoment(tx, teamId, now);
    const hash = hashLinkToken("password_reset", given.token);
    const where = { teamId, userId, hash, expiresAt: { gt: now } };
    const link = await tx.passwordReset.findFirst({ where, select: { createdById: true } });
    if (link === null || !(await isStillBacked(tx, found, link.createdById))) return false;
    const { count } = await tx.user.updateMany({
      where: { teamId, id: userId, email: found.email, suspendedAt: null },
      data: { passwordHash, updatedAt: at },
    });
    if (count === 0) return false;
    await endAccess({ tx, outbox, actor, now, call: { address, requestId } }, userId, "password_changed");
    const target = { type: "user", id: userId };
    const entry = {
      teamId,
      at: now,
      userId,
      credential: null,
      outcome: "success",
      target,
      address,
      requestId,
    } as const;
    await tx.execute(insertAudit([{ ...entry, action: "password.reset" }]));
    return true;
  });
}

/** Tells whether the admin who made a link may still set the password of its user; true for a link that the user asked for. */
async function isStillBacked(tx: Tx, { teamId, userId }: Found, createdById: string | null): Promise<boolean> {
  if (createdById === null) return true;
  const admin = await activeUser(tx, teamId, createdById);
  if (admin === null || !holds(admin, "settings.members")) return false;
  try {
    requireNotAbove(admin, await requireUser(tx, admin, userId));
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
