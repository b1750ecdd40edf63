import { isolated } from "./isolated.ts";
import type { MailWords } from "./mail-words.ts";

/** The mails in English. */
export const en: MailWords = {
  direction: "ltr",
  address: "Or open this address:",
  texts: {
    invitation: ({ team, by = "" }) => ({
      subject: `${isolated(by)} invites you to ${isolated(team)}`,
      paragraphs: [
        `${isolated(by)} invites you to the knowledge base of ${isolated(team)}. Set your name and a password to join.`,
      ],
      action: "Accept the invitation",
      closing: [
        "The link works once and for 7 days.",
        "If you do not know who invites you, ignore this mail: nothing happens.",
      ],
    }),
    test: ({ team }) => ({
      subject: "Mail works",
      paragraphs: [`The knowledge base of ${isolated(team)} can send mails: this is one of them.`],
      closing: ["An operator of the service asked for this mail. You do not have to do anything."],
    }),
  },
};
