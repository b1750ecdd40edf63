import { sql, type Tx } from "@kb/db";
import { z } from "zod";
import { recordAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { MailService } from "../mail/mail-service.ts";
import { queueMails } from "../mail/queue-mails.ts";
import { requireMayMail } from "../mail/require-may-mail.ts";
import { LanguageCode } from "../schema/profile.ts";
import { lockPeople } from "../users/authority.ts";
import { createResetLink } from "./reset-links.ts";

const Request = z.object({ email: z.string(), address: z.string(), requestId: z.string() });
type Request = z.output<typeof Request>;
type Claimed = { readonly id: string; readonly sealed: Uint8Array<ArrayBuffer> };

/**
 * Writes the mails of requests at the page of forgotten passwords, at most `most`. Each request is taken in the transaction that
 * writes its mail. Returns how many were taken.
 */
export async function mailResetLinks(service: Service & { readonly mail: MailService }, most: number): Promise<number> {
  for (let taken = 0; taken < most; taken += 1) {
    if (!(await service.database.transaction((tx) => takeRequest(service, tx)))) return taken;
  }
  return most;
}

async function takeRequest(service: Service & { readonly mail: MailService }, tx: Tx): Promise<boolean> {
  const [claimed] = await tx.rows<Claimed>(sql`DELETE FROM password_reset_requests WHERE id = (
    SELECT id FROM password_reset_requests ORDER BY "createdAt", id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, sealed`);
  if (claimed === undefined) return false;
  const request = openRequest(claimed, service.mail);
  if (request !== null) await mailLink(service, tx, request);
  return true;
}

/** Returns the request; null if it was sealed under another `APP_SECRET`: the person can ask again. */
function openRequest({ sealed }: Claimed, { sealer }: MailService): Request | null {
  try {
    return Request.parse(JSON.parse(new TextDecoder().decode(sealer.open(sealed))));
  } catch {
    return null;
  }
}

type Account = { teamId: string; userId: string; team: string; language: string | null };

/** Writes nothing for an address without an account, for a suspended user, and for one who logs in by single sign-on only. */
async function mailLink({ mail, clock }: Service & { mail: MailService }, tx: Tx, request: Request): Promise<void> {
  const { email, address, requestId } = request;
  if (email.includes("\0")) return;
  const now = clock.now();
  const [account] = await tx.rows<Account>(sql`SELECT u."teamId", u.id AS "userId", t.name AS team, u.language
    FROM users u JOIN teams t ON t.id = u."teamId"
    WHERE u.email = ${email} AND u."suspendedAt" IS NULL AND u."passwordHash" IS NOT NULL`);
  if (account === undefined) return;
  const { teamId, userId, team } = account;
  await lockPeople(tx, teamId);
  if (!(await mayMail(tx, teamId, email, now))) return;
  const { id, token, expiresAt } = await createResetLink(tx, { teamId, userId, email, createdById: null }, now);
  const language = LanguageCode.catch("en").parse(account.language);
  const facts = { team };
  const link = { subjectId: id, userId, token, at: now, expiresAt };
  await queueMails(tx, mail, [{ teamId, recipient: email, kind: "password_reset", language, facts, ...link }]);
  await recordAudit(tx, {
    teamId,
    at: now,
    userId,
    credential: null,
    action: "password.forgot",
    outcome: "success",
    target: { type: "user", id: userId },
    address,
    requestId,
  });
}

/** Beyond the limits nothing is sent, and nobody is told: the answer was given long ago. */
async function mayMail(tx: Tx, teamId: string, email: string, now: Date): Promise<boolean> {
  try {
    await requireMayMail(tx, teamId, [email], "forgotten", now);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
