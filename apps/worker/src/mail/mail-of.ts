import type { MailService } from "@kb/core";
import type { MailSettings } from "./mailer.ts";

type MailVariables = { readonly SMTP_URL?: string | undefined; readonly MAIL_FROM?: string | undefined };

/** Returns how a worker sends mails; undefined for an installation without a mail server. */
export function mailOf(
  { SMTP_URL: url, MAIL_FROM: from }: MailVariables,
  service: MailService | undefined,
): { readonly settings: MailSettings; readonly service: MailService } | undefined {
  return url === undefined || from === undefined || service === undefined
    ? undefined
    : { settings: { url, from }, service };
}
