import type { Account } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import type { Service, WriteContext } from "../context.ts";
import type { warnings } from "../mail/mail-kinds.ts";
import type { MailService } from "../mail/mail-service.ts";
import { queueMails } from "../mail/queue-mails.ts";
import { LanguageCode } from "../schema/profile.ts";

const dayMs = 24 * 3_600_000;

/** The owner of an account, as a mail needs them. */
type Owner = { readonly recipient: string; readonly language: string | null; readonly team: string };

/** Tells a user by mail that many wrong codes of their app were typed, at most once a day. A mail that did not reach them does not count. */
export async function warnOfGuesses(
  { database, clock, mail }: Pick<Service, "database" | "clock" | "mail">,
  account: Account,
): Promise<void> {
  if (mail === undefined) return;
  const { teamId, userId } = account;
  await database.transaction(async (tx) => {
    const now = clock.now();
    // One warning at a time, so that the next one sees it.
    await tx.rows(sql`SELECT 1 FROM users WHERE "teamId" = ${teamId}::uuid AND id = ${userId}::uuid FOR NO KEY UPDATE`);
    const since = new Date(now.getTime() - dayMs);
    const told = await tx.mail.findFirst({
      where: {
        teamId,
        userId,
        kind: "second_factor_guesses",
        createdAt: { gt: since },
        status: { notIn: ["failed", "withdrawn"] },
      },
      select: { id: true },
    });
    if (told === null) await warn(tx, mail, { account, kind: "second_factor_guesses", at: now });
  });
}

/** Tells a user by mail that somebody removed their second factor, in the transaction that does so. */
export async function warnOfRemoval({ tx, actor, mail, now }: WriteContext, userId: string): Promise<void> {
  if (mail === undefined) return;
  const account = { teamId: actor.teamId, userId };
  // The command line acts as an admin, who need not know of it.
  const by = actor.credential.kind === "system" ? {} : { by: actor.userName };
  await warn(tx, mail, { account, kind: "second_factor_removed", ...by, at: now });
}

/** Tells the caller by mail that a passkey of theirs was added or removed, in the transaction that does so. */
export async function warnOfPasskey(
  { tx, actor: { teamId, userId }, mail, now: at }: WriteContext,
  kind: "passkey_added" | "passkey_removed",
  passkey: string,
): Promise<void> {
  if (mail !== undefined) await warn(tx, mail, { account: { teamId, userId }, kind, passkey, at });
}

type Warning = {
  readonly account: Account;
  readonly kind: (typeof warnings)[number];
  readonly by?: string;
  readonly passkey?: string;
  readonly at: Date;
};

async function warn(tx: Tx, mail: MailService, { account, kind, at, ...names }: Warning): Promise<void> {
  const { teamId, userId } = account;
  const [owner] = await tx.rows<Owner>(sql`SELECT u.email AS recipient, u.language, t.name AS team
    FROM users u JOIN teams t ON t.id = u."teamId"
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid AND u."suspendedAt" IS NULL`);
  if (owner === undefined) return;
  const { recipient, team } = owner;
  const language = LanguageCode.catch("en").parse(owner.language);
  const facts = { team, ...names };
  const expiresAt = new Date(at.getTime() + dayMs);
  await queueMails(tx, mail, [{ teamId, userId, recipient, kind, language, facts, at, expiresAt }]);
}
