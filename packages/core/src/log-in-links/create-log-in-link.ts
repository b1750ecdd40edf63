import { createLinkToken, hashLinkToken } from "@kb/auth";
import { newId } from "@kb/db";
import { findUser } from "../admin/users.ts";
import { recordAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { lockPeople } from "../users/authority.ts";

const lifetimeMs = 15 * 60_000;

/**
 * Creates a link that logs a user in once, within 15 minutes; their earlier ones end. Only for somebody who could read the database
 * anyway: it is the way in while the single sign-on is down and passwords are switched off, and the first proof of a user whose
 * provider does not say when they logged in.
 * @throws {ServiceError} `not_found`, `conflict` for a suspended user.
 */
export async function createLogInLink(
  service: Service,
  email: string,
): Promise<{ readonly id: string; readonly email: string; readonly link: string; readonly expiresAt: string }> {
  const { id: userId, teamId, email: stored, suspendedAt } = await findUser(service, email);
  if (suspendedAt !== null) throw new ServiceError("conflict", "This user is suspended. Reactivate them first.");
  const { database, clock, appUrl } = service;
  const now = clock.now();
  const token = createLinkToken();
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await database.transaction(async (tx) => {
    await lockPeople(tx, teamId);
    const purpose = "log_in";
    await tx.passwordReset.deleteMany({ where: { teamId, userId, purpose } });
    const hash = hashLinkToken(purpose, token);
    const link = { teamId, id: newId(), userId, email: stored, hash, purpose, createdAt: now, expiresAt };
    await tx.passwordReset.create({ data: link, select: { id: true } });
    const entry = {
      teamId,
      at: now,
      userId: null,
      credential: { kind: "system", id: "kb" },
      outcome: "success",
    } as const;
    await recordAudit(tx, { ...entry, action: "users.createLogInLink", target: { type: "user", id: userId } });
  });
  return { id: userId, email: stored, link: `${appUrl}/login/link/${token}`, expiresAt: expiresAt.toISOString() };
}
