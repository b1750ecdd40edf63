import { z } from "zod";
import { LanguageCode } from "../schema/profile.ts";

/** What the text of a mail names. Every mail names the team, some who caused it, some a passkey or an address; none contains text of a document. */
export const MailFacts = z.object({
  team: z.string(),
  by: z.string().optional(),
  passkey: z.string().optional(),
  address: z.string().optional(),
});

/** The mails of the service. Each has a text in every language. */
export const MailKind = z.enum([
  "test",
  "invitation",
  "password_reset",
  "second_factor_guesses",
  "second_factor_removed",
  "passkey_added",
  "passkey_removed",
  "email_change_old",
  "email_change_new",
  "email_change_taken",
  "email_changed",
]);

/** The kind of a mail. */
export type MailKind = z.output<typeof MailKind>;

/** Mails that warn the owner of an account. Nobody asks for them, so they have no share in the limits of the others. */
export const warnings = [
  "second_factor_guesses",
  "second_factor_removed",
  "passkey_added",
  "passkey_removed",
  "email_changed",
] as const satisfies readonly MailKind[];

/** A mail as its text needs it. */
export type MailContent = {
  readonly kind: MailKind;
  readonly language: z.output<typeof LanguageCode>;
  readonly facts: z.output<typeof MailFacts>;
  /** The address that the mail leads to; null for a mail without a link. */
  readonly link: string | null;
};

/** A row of the stored content, which this service wrote. */
export const StoredContent = z.object({ kind: MailKind, language: LanguageCode, facts: MailFacts });
