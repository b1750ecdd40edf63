import { hashLinkToken, isLinkToken } from "@kb/auth";
import { isUniqueViolation, sql, stampMoment, type Tx } from "@kb/db";
import { recordAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { queueMails } from "../mail/queue-mails.ts";
import { LanguageCode } from "../schema/profile.ts";
import { lockPeople } from "../users/authority.ts";
import { type ChangeRow, changeColumns, endChange, linkPurposes, lockChange, type Side } from "./email-change.ts";

/** A change as its links show it, and the address of the link. */
export type FoundEmailChange = { readonly from: string; readonly to: string; readonly side: Side };

type FoundRow = ChangeRow & { readonly side: Side };

/** Finds the change of a link; null for an unknown, used or expired one, and after another change of the address. */
export async function findEmailChange(service: Service, token: string): Promise<FoundEmailChange | null> {
  const row = await findRow(service, token);
  return row === null ? null : { from: row.fromEmail, to: row.toEmail, side: row.side };
}

async function findRow({ database, clock }: Service, token: string): Promise<FoundRow | null> {
  if (!isLinkToken(token)) return null;
  const hashes = hashesOf(token);
  const [row] = await database.beforeTeam.rows<FoundRow>(sql`SELECT ${changeColumns},
      CASE WHEN c."oldHash" = ${hashes.old} THEN 'old' ELSE 'new' END AS side
    FROM email_changes c JOIN users u ON u."teamId" = c."teamId" AND u.id = c."userId"
    WHERE (c."oldHash" = ${hashes.old} AND c."oldConfirmedAt" IS NULL OR c."newHash" = ${hashes.new} AND c."newConfirmedAt" IS NULL)
      AND c."expiresAt" > ${clock.now()} AND u.email = c."fromEmail" AND u."suspendedAt" IS NULL`);
  return row ?? null;
}

const hashesOf = (token: string) => ({
  old: hashLinkToken(linkPurposes.old, token),
  new: hashLinkToken(linkPurposes.new, token),
});

/** How somebody came to the page of a link. */
export type Confirmation = { readonly token: string; readonly address: string; readonly requestId: string };

/** The result of a confirmation. `waiting`: the other address has to confirm too; `taken`: an account has the new address. */
export type ConfirmedChange =
  | { readonly kind: "invalid" }
  | { readonly kind: "waiting" | "changed" | "taken"; readonly email: string };

/**
 * Confirms a change of address by the link of one of the two addresses; with the second confirmation the address changes.
 * Sessions, the password, keys and apps stay. Of many uses of a link at once, one succeeds.
 */
export async function confirmEmailChange(service: Service, given: Confirmation): Promise<ConfirmedChange> {
  const found = await findRow(service, given.token);
  if (found === null) return { kind: "invalid" };
  const { teamId, toEmail } = found;
  try {
    return await service.database.transaction(async (tx) => {
      const now = service.clock.now();
      await lockPeople(tx, teamId);
      const at = await stampMoment(tx, teamId, now);
      const change = await lockChange(tx, found);
      if (change === null || !(await isOpen(tx, change, found, now))) return { kind: "invalid" };
      const other = found.side === "old" ? change.newConfirmedAt : change.oldConfirmedAt;
      // Only who has the new address learns of its account: anybody can name an address, and has a link to their own.
      const knowsNew = found.side === "new" || other !== null;
      if (knowsNew && (await isTaken(tx, toEmail))) return { kind: "taken", email: toEmail };
      await confirmSide(tx, found, now);
      await record(tx, found, given, { action: "user.emailConfirmed", at: now, details: { address: found.side } });
      if (other === null) return { kind: "waiting", email: toEmail };
      await apply(service, tx, change, { at, now });
      await record(tx, found, given, { action: "user.emailChanged", at: now });
      return { kind: "changed", email: toEmail };
    });
  } catch (error) {
    // Somebody of another team, whose changes do not wait for this one, took the address at the same time.
    if (isUniqueViolation(error)) return { kind: "taken", email: toEmail };
    throw error;
  }
}

/** Whether the link is still of this change, unused and in time, and its user still has the old address and may log in. */
async function isOpen(tx: Tx, change: ChangeRow, { id, side }: FoundRow, now: Date): Promise<boolean> {
  if (change.id !== id || change.expiresAt <= now) return false;
  if ((side === "old" ? change.oldConfirmedAt : change.newConfirmedAt) !== null) return false;
  const { teamId, userId, fromEmail: email } = change;
  return (await tx.user.count({ where: { teamId, id: userId, email, suspendedAt: null } })) > 0;
}

const isTaken = async (tx: Tx, email: string): Promise<boolean> =>
  (await tx.rows(sql`SELECT "teamId" FROM users WHERE email = ${email}`)).length > 0;

async function confirmSide(tx: Tx, { teamId, userId, id, side }: FoundRow, now: Date): Promise<void> {
  const data = side === "old" ? { oldConfirmedAt: now } : { newConfirmedAt: now };
  await tx.emailChange.updateMany({ where: { teamId, userId, id }, data });
}

/** The stamp of the change, and the time of the call. */
type Times = { readonly at: Date; readonly now: Date };

/** Changes the address, ends the change, and tells the old address, which is of no use from now on. */
async function apply({ mail }: Service, tx: Tx, change: ChangeRow, { at, now }: Times): Promise<void> {
  const { teamId, userId, fromEmail, toEmail } = change;
  await tx.user.updateMany({
    where: { teamId, id: userId, email: fromEmail },
    data: { email: toEmail, updatedAt: at },
  });
  await endChange(tx, change, now);
  if (mail === undefined) return;
  const where = { teamId_id: { teamId, id: userId } };
  const select = { language: true, team: { select: { name: true } } };
  const user = await tx.user.findUniqueOrThrow({ where, select });
  const language = LanguageCode.catch("en").parse(user.language);
  const facts = { team: user.team.name, address: toEmail };
  const expiresAt = new Date(now.getTime() + 24 * 3_600_000);
  await queueMails(tx, mail, [
    { teamId, recipient: fromEmail, kind: "email_changed", language, facts, at: now, expiresAt },
  ]);
}

type Entry = { readonly action: string; readonly at: Date; readonly details?: { readonly address: Side } };

async function record(
  tx: Tx,
  { teamId, userId }: ChangeRow,
  { address, requestId }: Confirmation,
  { action, at, details }: Entry,
): Promise<void> {
  const target = { type: "user", id: userId };
  const entry = { teamId, at, userId, credential: null, action, target, address, requestId };
  await recordAudit(tx, { ...entry, outcome: "success", ...(details !== undefined && { details }) });
}
