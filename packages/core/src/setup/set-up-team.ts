import { createSession, hashPassword, hashTypedCode, settleAttempt, type Throttled } from "@kb/auth";
import { sql, stampMoment, type Tx } from "@kb/db";
import { z } from "zod";
import { type AuditRecord, insertAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { parseInput } from "../input-error.ts";
import { transactionWithOutbox } from "../outbox.ts";
import { Email, Name, Password } from "../schema/names.ts";
import type { Language } from "../schema/profile.ts";
import { endAccess } from "../sessions/end-access.ts";
import { usesPasswords } from "../sessions/require-passwords.ts";
import { withFreeEmail } from "../users/add.ts";
import { lockPeople } from "../users/authority.ts";
import { requireStrongPassword } from "../users/require-strong-password.ts";

type Dependencies = Pick<Service, "database" | "clock">;

/** Tells whether a code of the first start may still be used. */
export async function isSetupOpen({ database, clock }: Dependencies): Promise<boolean> {
  const rows = await database.beforeTeam.rows(
    sql`SELECT 1 FROM password_resets WHERE purpose = 'setup' AND "expiresAt" > ${clock.now()} LIMIT 1`,
  );
  return rows.length > 0;
}

/** Whether a typed code is the right one; with the wait after too many wrong ones. */
export type SetupCheck =
  | { readonly kind: "right" }
  | { readonly kind: "wrong" }
  | ({ readonly kind: "throttled" } & Throttled);

/** Checks a code and counts a wrong one. `network` is the key of the client under which failures are counted. */
export async function checkSetupCode(service: Service, code: string, network: string): Promise<SetupCheck> {
  const isRight = (await findSetup(service, code)) !== null;
  const attempt = { source: `setup:${network}`, account: "setup" };
  const throttled = await settleAttempt(service.database, attempt, isRight, service.clock.now());
  if (throttled !== null) return { kind: "throttled", ...throttled };
  return isRight ? { kind: "right" } : { kind: "wrong" };
}

/** What the first admin enters, and how they came. */
export type Setup = {
  readonly code: string;
  readonly team: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The language of the page, which becomes theirs. */
  readonly language: Language;
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId: string;
};

const Entered = z.object({ team: Name, name: Name, email: Email });

async function hashChosen(password: string, person: { name: string; email: string }): Promise<string> {
  const chosen = parseInput(z.object({ password: Password }), { password });
  await requireStrongPassword("password", chosen.password, person);
  return await hashPassword(chosen.password);
}

/**
 * Names the team of the first start and its admin, sets the admin's password unless passwords are switched off, and starts their session. Their earlier sessions and
 * connected apps end; API keys stay. Null for a code that is not valid. Of many at once, one succeeds.
 * @throws {ServiceError} `validation_error` for an entry, `conflict` when a user has the address.
 * @throws {BusyError} if too many passwords are waiting to be hashed.
 */
export async function setUpTeam(service: Service, setup: Setup): Promise<{ readonly token: string } | null> {
  const found = await findSetup(service, setup.code);
  if (found === null) return null;
  const { team, name, email, password } = setup;
  const entered = parseInput(Entered, { team, name, email });
  const passwordHash = usesPasswords(service) ? await hashChosen(password, entered) : null;
  const { teamId, userId } = found;
  const credential = { kind: "system", id: "setup", name: "First start" } as const;
  const actor = { teamId, userId, userName: entered.name, credential };
  return await transactionWithOutbox(service.database, actor, async (tx, outbox) => {
    const now = service.clock.now();
    await lockPeople(tx, teamId);
    if (!(await takeSetup(tx, found, now))) return null;
    const at = await stampMoment(tx, teamId, now);
    await tx.team.update({ where: { id: teamId }, data: { name: entered.team }, select: { id: true } });
    const person = { name: entered.name, email: entered.email, language: setup.language, passwordHash, updatedAt: at };
    const where = { teamId_id: { teamId, id: userId } };
    await withFreeEmail(entered.email, () => tx.user.update({ where, data: person, select: { id: true } }));
    const { address, userAgent, requestId } = setup;
    await endAccess({ tx, outbox, actor, now, call: { address, requestId } }, userId, "password_changed");
    const session = await createSession(tx, { teamId, userId, address, userAgent }, now);
    await tx.execute(insertAudit(entriesOf(found, session.id, setup, now)));
    return session;
  });
}

type Found = { readonly teamId: string; readonly userId: string; readonly hash: Uint8Array<ArrayBuffer> };

async function findSetup({ database, clock }: Dependencies, code: string): Promise<Found | null> {
  const hash = hashTypedCode("setup", code);
  if (hash === null) return null;
  const [row] = await database.beforeTeam.rows<Omit<Found, "hash">>(sql`
    SELECT r."teamId", r."userId" FROM password_resets r JOIN users u ON u."teamId" = r."teamId" AND u.id = r."userId"
    WHERE r.hash = ${hash} AND r.purpose = 'setup' AND r."expiresAt" > ${clock.now()} AND u."suspendedAt" IS NULL`);
  return row === undefined ? null : { ...row, hash };
}

/** Ends the code; returns false if it had ended before. */
async function takeSetup(tx: Tx, { teamId, userId, hash }: Found, now: Date): Promise<boolean> {
  const where = { teamId, userId, hash, purpose: "setup", expiresAt: { gt: now } };
  return (await tx.passwordReset.deleteMany({ where })).count > 0;
}

function entriesOf({ teamId, userId }: Found, sessionId: string, setup: Setup, at: Date): AuditRecord[] {
  const { address, requestId } = setup;
  const credential = { kind: "session", id: sessionId };
  const entry = { teamId, at, userId, credential, outcome: "success", address, requestId } as const;
  return [
    { ...entry, action: "team.setup", target: { type: "team", id: teamId } },
    { ...entry, action: "session.login", target: { type: "user", id: userId }, details: { method: "setup" } },
  ];
}
