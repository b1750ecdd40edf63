import { newId, type Tx } from "@kb/db";
import type { MailContent } from "./mail-kinds.ts";
import type { MailService } from "./mail-service.ts";

/** The channel on which a new mail is announced; the payload is the id of its team. */
export const mailChannel = "kb_mails";

/** A mail to send. */
export type NewMail = Omit<MailContent, "link"> & {
  readonly teamId: string;
  readonly recipient: string;
  /** The user of the address; absent for an address that is not yet a user's. */
  readonly userId?: string | undefined;
  /** The admin who caused it; absent for a request at the page of forgotten passwords. */
  readonly causedById?: string | undefined;
  /** The thing that the link is about. */
  readonly subjectId?: string | undefined;
  /** The token of the link; absent for a mail without a link. */
  readonly token?: string | undefined;
  readonly at: Date;
  /** The end of the link: the mail is not sent later. */
  readonly expiresAt: Date;
};

/** Writes mails in the transaction of their cause: they are sent exactly when it commits. Returns their ids. */
export async function queueMails(tx: Tx, { sealer }: MailService, mails: readonly NewMail[]): Promise<string[]> {
  const rows = mails.map(({ token, at, userId = null, causedById = null, subjectId = null, ...mail }) => ({
    ...mail,
    facts: oneLine(mail.facts),
    id: newId(),
    userId,
    causedById,
    subjectId,
    token: token === undefined ? null : sealer.seal(new TextEncoder().encode(token)),
    nextAttemptAt: at,
    createdAt: at,
  }));
  await tx.mail.createMany({ data: rows });
  for (const teamId of new Set(mails.map((mail) => mail.teamId)))
    tx.announce({ channel: mailChannel, payload: teamId });
  return rows.map(({ id }) => id);
}

/** Returns the names of a mail without line breaks, which would begin a paragraph or, in a subject, a header of their own. */
function oneLine({ team, ...names }: NewMail["facts"]): NewMail["facts"] {
  const joined = Object.entries(names).flatMap(([fact, name]) => (name === undefined ? [] : [[fact, inOneLine(name)]]));
  return { team: inOneLine(team), ...Object.fromEntries(joined) };
}

const inOneLine = (name: string): string => name.replaceAll(/\s+/g, " ").trim();
