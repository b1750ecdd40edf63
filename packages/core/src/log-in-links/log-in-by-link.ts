import { createSession, findFirstStep, hashLinkToken, isLinkToken, type NeededStep } from "@kb/auth";
import { sql } from "@kb/db";
import { insertAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { lockPeople } from "../users/authority.ts";

type Dependencies = Pick<Service, "database" | "clock">;
type Found = { readonly teamId: string; readonly userId: string; readonly name: string; readonly email: string };

/** Finds the user of a link to log in; null for an unknown, used or expired one, or after a change of address. */
export async function findLogInLink({ database, clock }: Dependencies, token: string): Promise<Found | null> {
  if (!isLinkToken(token)) return null;
  const [row] = await database.beforeTeam.rows<Found>(sql`
    SELECT r."teamId", r."userId", u.name, u.email
    FROM password_resets r JOIN users u ON u."teamId" = r."teamId" AND u.id = r."userId"
    WHERE r.hash = ${hashLinkToken("log_in", token)} AND r.purpose = 'log_in' AND r."expiresAt" > ${clock.now()}
      AND u.email = r.email AND u."suspendedAt" IS NULL`);
  return row ?? null;
}

/** The use of a link, and how its user came. */
type Use = {
  readonly token: string;
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId: string;
};

/**
 * Ends the link and starts the session of its user, or returns the first step of their log-in where a second one is needed. Null for a
 * link that is not valid. Of many at once, one succeeds.
 */
export async function logInByLink(
  service: Dependencies,
  { token, address, userAgent, requestId }: Use,
): Promise<{ readonly token: string } | NeededStep | null> {
  const found = await findLogInLink(service, token);
  if (found === null) return null;
  const { teamId, userId, email } = found;
  const { database, clock } = service;
  return await database.transaction(async (tx) => {
    const now = clock.now();
    await lockPeople(tx, teamId);
    const hash = hashLinkToken("log_in", token);
    const { count } = await tx.passwordReset.deleteMany({ where: { teamId, userId, hash, expiresAt: { gt: now } } });
    const active = await tx.user.count({ where: { teamId, id: userId, email, suspendedAt: null } });
    if (count === 0 || active === 0) return null;
    const account = { teamId, userId };
    const firstStep = await findFirstStep(tx, account);
    if (firstStep !== null) return firstStep;
    const session = await createSession(tx, { ...account, address, userAgent }, now);
    const entry = {
      teamId,
      at: now,
      userId,
      credential: { kind: "session", id: session.id },
      outcome: "success",
    } as const;
    const target = { type: "user", id: userId };
    await tx.execute(
      insertAudit([{ ...entry, action: "session.login", target, address, requestId, details: { method: "link" } }]),
    );
    return session;
  });
}
