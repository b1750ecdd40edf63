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
  /** The thing that the link is about. */
  readonly subjectId?: string | undefined;
  /** The token of the link; absent for a mail without a link. */
  readonly token?: string | undefined;
  readonly at: Date;
  /** The end of the link: the mail is not sent later. */
  readonly expiresAt: Date;
};

/** Writes a mail in the transaction of its cause: it is sent exactly when the transaction commits. Returns its id. */
export async function queueMail(tx: Tx, { sealer }: MailService, mail: NewMail): Promise<string> {
  const { teamId, recipient, kind, language, facts, userId = null, subjectId = null, token, at, expiresAt } = mail;
  const id = newId();
  await tx.mail.create({
    data: {
      teamId,
      id,
      kind,
      recipient,
      language,
      facts,
      userId,
      subjectId,
      token: token === undefined ? null : sealer.seal(new TextEncoder().encode(token)),
      nextAttemptAt: at,
      createdAt: at,
      expiresAt,
    },
    select: { id: true },
  });
  tx.announce({ channel: mailChannel, payload: teamId });
  return id;
}
