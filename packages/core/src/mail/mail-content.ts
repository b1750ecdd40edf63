import type { ClaimedMail } from "./claim-mails.ts";
import { type MailContent, type MailKind, StoredContent } from "./mail-kinds.ts";
import type { MailService } from "./mail-service.ts";

/** The path of the page that the link of a mail leads to, in front of its token. Null for mails without a link. */
const pagePaths: Readonly<Record<MailKind, string | null>> = {
  test: null,
  invitation: "/join",
  password_reset: "/reset",
  second_factor_guesses: null,
  second_factor_removed: null,
  passkey_added: null,
  passkey_removed: null,
  email_change_old: "/login/email",
  email_change_new: "/login/email",
  email_change_taken: null,
  email_changed: null,
};

/** Returns what a mail says; null if its token was sealed under another `APP_SECRET` and cannot be read. */
export function mailContentOf(claimed: ClaimedMail, { sealer }: MailService, appUrl: string): MailContent | null {
  const stored = StoredContent.parse(claimed);
  const path = pagePaths[stored.kind];
  if (path === null || claimed.token === null) return { ...stored, link: null };
  try {
    const token = new TextDecoder().decode(sealer.open(claimed.token));
    return { ...stored, link: `${appUrl}${path}/${token}` };
  } catch {
    return null;
  }
}
