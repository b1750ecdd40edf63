import type { MailContent, MailKind } from "@kb/core";

/** The text of one mail. */
export type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The name of the button, for a mail with a link. */
  readonly action?: string;
  /** What to know about the link, below it. */
  readonly closing: readonly string[];
};

/** The texts of all mails in one language. */
export type MailWords = {
  readonly direction: "ltr" | "rtl";
  /** Introduces the address of the link, for readers whose program shows no button. */
  readonly address: string;
  readonly texts: Readonly<Record<MailKind, (facts: MailContent["facts"]) => MailText>>;
};
