import { type Sealer, sealer } from "@kb/auth";

/** Writes mails to be sent. Absent in an installation without a mail server. */
export type MailService = {
  /** Encrypts the tokens of links until their mails are sent. */
  readonly sealer: Sealer;
};

type MailVariables = {
  readonly SMTP_URL?: string | undefined;
  readonly APP_SECRET: string;
  readonly APP_SECRET_PREVIOUS?: string | undefined;
};

/** Returns the mail service of an installation; undefined without a mail server. */
export function mailServiceOf(variables: MailVariables): MailService | undefined {
  if (variables.SMTP_URL === undefined) return undefined;
  return { sealer: sealer(variables.APP_SECRET, "mails", variables.APP_SECRET_PREVIOUS) };
}
