import { isolated } from "./isolated.ts";
import type { MailWords } from "./mail-words.ts";

/** The mails in English. */
export const en: MailWords = {
  direction: "ltr",
  address: "Or open this address:",
  texts: {
    test: ({ team }) => ({
      subject: "Mail works",
      paragraphs: [`The knowledge base of ${isolated(team)} can send mails: this is one of them.`],
      closing: ["An operator of the service asked for this mail. You do not have to do anything."],
    }),
  },
};
