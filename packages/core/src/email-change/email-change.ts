import { createLinkToken, hashLinkToken } from "@kb/auth";
import { newId, sql, type Tx } from "@kb/db";
import type { MailService } from "../mail/mail-service.ts";
import { type NewMail, queueMails } from "../mail/queue-mails.ts";
import { withdrawMails } from "../mail/withdraw-mails.ts";
import { LanguageCode } from "../schema/profile.ts";

/** The time for which the links of a change are valid. */
export const changeTtlMs = 60 * 60 * 1000;

/** One of the two addresses of a change, each of which has to confirm it. */
export type Side = "old" | "new";

/** The columns of a change. */
export const changeColumns = sql`c.id, c."teamId", c."userId", c."fromEmail", c."toEmail", c."oldConfirmedAt",
  c."newConfirmedAt", c."expiresAt"`;

/** A row of `changeColumns`. */
export type ChangeRow = {
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  readonly fromEmail: string;
  readonly toEmail: string;
  readonly oldConfirmedAt: Date | null;
  readonly newConfirmedAt: Date | null;
  readonly expiresAt: Date;
};

/** The purposes of the links of a change. */
export const linkPurposes = { old: "email_change_old", new: "email_change_new" } as const;

/** The tokens of a change that was just written; null for an address that has confirmed already. */
export type ChangeTokens = { readonly old: string | null; readonly new: string | null };

type NewChange = { readonly teamId: string; readonly userId: string; readonly from: string; readonly to: string };

/**
 * Writes the change of an address, in place of an earlier one. Of a change to the same address that still waits, the confirmations
 * stay, and the links of the other addresses are replaced.
 */
export async function writeChange(
  tx: Tx,
  { teamId, userId, from, to }: NewChange,
  now: Date,
): Promise<{ readonly id: string; readonly tokens: ChangeTokens; readonly expiresAt: Date }> {
  const before = await lockChange(tx, { teamId, userId });
  const goesOn = before !== null && before.fromEmail === from && before.toEmail === to && before.expiresAt > now;
  const oldConfirmedAt = goesOn ? before.oldConfirmedAt : null;
  const newConfirmedAt = goesOn ? before.newConfirmedAt : null;
  const tokens = {
    old: oldConfirmedAt === null ? createLinkToken() : null,
    new: newConfirmedAt === null ? createLinkToken() : null,
  };
  const id = newId();
  const expiresAt = new Date(now.getTime() + changeTtlMs);
  if (before !== null) await endChange(tx, before, now);
  const data = { teamId, id, userId, fromEmail: from, toEmail: to, oldConfirmedAt, newConfirmedAt, createdAt: now };
  // The hash of an address that has confirmed is of a token that nobody has.
  const oldHash = hashLinkToken(linkPurposes.old, tokens.old ?? createLinkToken());
  const newHash = hashLinkToken(linkPurposes.new, tokens.new ?? createLinkToken());
  await tx.emailChange.create({ data: { ...data, oldHash, newHash, expiresAt } });
  return { id, tokens, expiresAt };
}

/** Reads the change of a user and locks it; null without one. */
export async function lockChange(
  tx: Tx,
  { teamId, userId }: Pick<ChangeRow, "teamId" | "userId">,
): Promise<ChangeRow | null> {
  const [row] = await tx.rows<ChangeRow>(sql`SELECT ${changeColumns} FROM email_changes c
    WHERE c."teamId" = ${teamId}::uuid AND c."userId" = ${userId}::uuid FOR UPDATE`);
  return row ?? null;
}

/** Ends a change: its links are not valid any more, and what was not mailed yet is never sent. */
export async function endChange(tx: Tx, { id, teamId, userId }: ChangeRow, now: Date): Promise<void> {
  await tx.emailChange.deleteMany({ where: { teamId, userId, id } });
  await withdrawMails(tx, teamId, [id], now);
}

type MailedChange = NewChange & {
  readonly id: string;
  readonly tokens: ChangeTokens;
  readonly expiresAt: Date;
  readonly causedById: string;
};

/**
 * Mails the links of a change to both addresses, in the language of the user. A new address that belongs to an account gets a mail
 * that says so, without a link: only its owner learns of the account.
 */
export async function mailChange(tx: Tx, mail: MailService, change: MailedChange, now: Date): Promise<void> {
  const { teamId, userId, from, to, id: subjectId, tokens, expiresAt, causedById } = change;
  const where = { teamId_id: { teamId, id: userId } };
  const select = { language: true, name: true, team: { select: { name: true } } };
  const user = await tx.user.findUniqueOrThrow({ where, select });
  const language = languageOf(user);
  const facts = { team: user.team.name, by: user.name, address: to };
  const common = { teamId, language, facts, subjectId, causedById, at: now, expiresAt };
  const [owner] = await tx.rows<{ language: string | null }>(
    sql`SELECT "teamId", language FROM users WHERE email = ${to}`,
  );
  const toOld = { ...common, userId, recipient: from, kind: "email_change_old" } as const;
  const toNew = { ...common, recipient: to, kind: "email_change_new" } as const;
  const toOwner = { ...common, recipient: to, kind: "email_change_taken", language: languageOf(owner) } as const;
  const mails: NewMail[] = tokens.old === null ? [] : [{ ...toOld, token: tokens.old }];
  if (tokens.new !== null) mails.push(owner === undefined ? { ...toNew, token: tokens.new } : toOwner);
  await queueMails(tx, mail, mails);
}

const languageOf = (reader: { readonly language: string | null } | undefined) =>
  LanguageCode.catch("en").parse(reader?.language);
