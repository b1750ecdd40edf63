import { createLinkToken, hashLinkToken } from "@kb/auth";
import { newId, type Tx } from "@kb/db";
import { withdrawMails } from "../mail/withdraw-mails.ts";

/** The time for which the link of a forgotten password is valid. */
export const resetTtlMs = 60 * 60 * 1000;

/** A new link to a page on which a user sets their password. */
export type ResetLink = { readonly id: string; readonly token: string; readonly expiresAt: Date };

type LinkOwner = {
  readonly teamId: string;
  readonly userId: string;
  readonly email: string;
  /** The admin who makes the link; null for the page of forgotten passwords. */
  readonly createdById: string | null;
};

/** Creates the link of a user for their present address. Their earlier links end, and their mails that wait are withdrawn. */
export async function createResetLink(
  tx: Tx,
  { teamId, userId, email, createdById }: LinkOwner,
  now: Date,
): Promise<ResetLink> {
  await endLinks(tx, { teamId, userId, purpose: "password_reset" }, now);
  const id = newId();
  const token = createLinkToken();
  const expiresAt = new Date(now.getTime() + resetTtlMs);
  const hash = hashLinkToken("password_reset", token);
  await tx.passwordReset.create({ data: { teamId, id, userId, email, createdById, hash, createdAt: now, expiresAt } });
  return { id, token, expiresAt };
}

/** Ends the links of a user, and the code of the first start. */
export function endResetLinks(tx: Tx, teamId: string, userId: string, now: Date): Promise<void> {
  return endLinks(tx, { teamId, userId }, now);
}

type LinkFilter = { readonly teamId: string; readonly userId: string; readonly purpose?: "password_reset" };

async function endLinks(tx: Tx, where: LinkFilter, now: Date): Promise<void> {
  const links = await tx.passwordReset.findMany({ where, select: { id: true } });
  if (links.length === 0) return;
  await tx.passwordReset.deleteMany({ where });
  await withdrawMails(
    tx,
    where.teamId,
    links.map(({ id }) => id),
    now,
  );
}
