import { isolated } from "./isolated.ts";
import type { MailWords } from "./mail-words.ts";

/**
 * The mails in English. A warning names the password of the log-in: where log-in with passwords is off, that is the
 * one of their provider.
 */
export const en: MailWords = {
  direction: "ltr",
  address: "Or open this address:",
  texts: {
    invitation: ({ team, by = "" }) => ({
      subject: `${isolated(by)} invites you to ${isolated(team)}`,
      paragraphs: [
        `${isolated(by)} invites you to the knowledge base of ${isolated(team)}. Accept the invitation to join.`,
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
    second_factor_guesses: ({ team }) => ({
      subject: "Wrong codes for your account",
      paragraphs: [
        `Somebody typed ten or more wrong codes of your authenticator app for your account in the knowledge base of ${isolated(team)}. To be asked for a code, they had to pass the first step of your log-in, or to use a browser in which you are logged in.`,
        "If it was not you, change the password of your log-in now, and end the sessions that you do not know on the page You of the settings.",
      ],
      closing: [
        "The number of codes that are checked is limited, so your app may be refused for some hours. Your recovery codes work.",
        "If it was you, you do not have to do anything.",
      ],
    }),
    second_factor_removed: ({ team, by }) => ({
      subject: "The second step of your log-in was removed",
      paragraphs: [
        by === undefined
          ? `An operator removed the second step of your log-in to the knowledge base of ${isolated(team)}. Your sessions have ended, and the first step is enough to log in.`
          : `${isolated(by)} removed the second step of your log-in to the knowledge base of ${isolated(team)}. Your sessions have ended, and the first step is enough to log in.`,
        "Log in, and set up an authenticator app again on the page You of the settings.",
      ],
      closing: [
        "If you did not ask for this, change the password of your log-in now and tell the administrators of your team.",
      ],
    }),
    email_change_old: ({ team, address = "" }) => ({
      subject: "Confirm your new e-mail address",
      paragraphs: [
        `You asked to change the e-mail address of your account in the knowledge base of ${isolated(team)} to ${isolated(address)}. Confirm it here, and by the link in the other mailbox.`,
      ],
      action: "Confirm the change",
      closing: [
        "The link works once and for one hour. The address changes when both links were used.",
        "If it was not you, do not open the link, and change the password of your log-in now.",
      ],
    }),
    email_change_new: ({ team, by = "" }) => ({
      subject: "Confirm this e-mail address",
      paragraphs: [
        `${isolated(by)} wants to use this address for their account in the knowledge base of ${isolated(team)}. If that is you, confirm it here, and by the link in your other mailbox.`,
      ],
      action: "Confirm this address",
      closing: [
        "The link works once and for one hour. The address changes when both links were used.",
        "If you do not know of it, ignore this mail: nothing happens.",
      ],
    }),
    email_change_taken: ({ team, by = "" }) => ({
      subject: "Your address is in use already",
      paragraphs: [
        `${isolated(by)} wants to use this address for their account in the knowledge base of ${isolated(team)}. It belongs to an account already, so it cannot be used for another one.`,
        "If that was you, log in with this address, or choose another one.",
      ],
      closing: ["If it was not you, ignore this mail: nothing happens."],
    }),
    email_changed: ({ team, address = "" }) => ({
      subject: "Your e-mail address was changed",
      paragraphs: [
        `The e-mail address of your account in the knowledge base of ${isolated(team)} is now ${isolated(address)}. This address no longer logs you in.`,
      ],
      closing: ["If you did not confirm this, tell the administrators of your team at once."],
    }),
    passkey_added: ({ team, passkey = "" }) => ({
      subject: "A passkey was added to your account",
      paragraphs: [
        `The passkey ${isolated(passkey)} was added to your account in the knowledge base of ${isolated(team)}. It can log you in.`,
        "If it was not you, remove it on the page You of the settings, end the sessions that you do not know, and change the password of your log-in.",
      ],
      closing: ["If it was you, you do not have to do anything."],
    }),
    passkey_removed: ({ team, passkey = "" }) => ({
      subject: "A passkey was removed from your account",
      paragraphs: [
        `The passkey ${isolated(passkey)} was removed from your account in the knowledge base of ${isolated(team)}. It no longer logs you in.`,
        "If it was not you, change the password of your log-in now, and look at your passkeys and sessions on the page You of the settings.",
      ],
      closing: ["If it was you, you do not have to do anything."],
    }),
    test: ({ team }) => ({
      subject: "Mail works",
      paragraphs: [`The knowledge base of ${isolated(team)} can send mails: this is one of them.`],
      closing: ["An operator of the service asked for this mail. You do not have to do anything."],
    }),
  },
};
