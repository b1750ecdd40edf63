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
    password_reset: ({ team }) => ({
      subject: "Set a new password",
      paragraphs: [
        `Somebody asked for a new password for your account in the knowledge base of ${isolated(team)}. If it was you, set one now.`,
      ],
      action: "Set a new password",
      closing: [
        "The link works once and for one hour. A new password ends all of your sessions and disconnects your apps.",
        "If it was not you, ignore this mail: your password stays as it is.",
      ],
    }),
    test: ({ team }) => ({
      subject: "Mail works",
      paragraphs: [`The knowledge base of ${isolated(team)} can send mails: this is one of them.`],
      closing: ["An operator of the service asked for this mail. You do not have to do anything."],
    }),
  },
};
