import { minutesInEnglish } from "../../pages/words/minutes.ts";
import type { AccountWords } from "./account-words.ts";

/** The words of the pages of one's own account, in English. */
export const en: AccountWords = {
  error: (title) => `Error: ${title}`,
  email: "E-mail address",
  name: "Name",
  password: "Password",
  passwordHint: "At least 8 characters. Several unrelated words are easy to remember and hard to guess.",
  problems: {
    common: "This password is in lists of leaked passwords, which attackers try first. Choose another one.",
    personal: "This password contains your name or e-mail address. Choose another one.",
    pattern: "This password is a simple pattern. Choose several unrelated words.",
    guessable: "This password is too easy to guess. Choose several unrelated words.",
    noName: "Enter your name.",
    longName: "The name has more than 255 characters. Shorten it.",
    oddName: "The name contains characters that nobody can see. Type it instead of pasting it.",
    shortPassword: "The password has fewer than 8 characters. Choose a longer one.",
    longPassword: "The password has more than 1,024 characters. Choose a shorter one.",
  },
  busy: "Too many people are logging in at the moment. Try again in a few seconds.",
  logIn: "Go to the log-in page",
  secondStep: {
    title: "Second step",
    lead: "One step is left: prove that it is you.",
    code: "Code",
    codeHint: "The six digits that your authenticator app shows now, or one of your recovery codes.",
    action: "Log in",
    wrong:
      "This code is not valid. Wait for the next code of your app; each works once. If it keeps failing, check the time of your device or use a recovery code.",
    throttled: (minutes) =>
      `Too many wrong codes. Try again in ${minutesInEnglish(minutes)}. If it was not you, change your password.`,
    endedTitle: "This log-in has ended",
    ended: "It took more than ten minutes, or your account was changed in the meantime. Begin again.",
    startAgain: "Not your account? Begin again",
  },
  passkey: {
    title: "Log in with a passkey",
    lead: "Your device or your security key says who you are, so you need no password.",
    offer: "Log in with a passkey",
    action: "Use a passkey",
    problem: "No passkey was used. Try again, or choose another way.",
    unsupported: "This browser knows no passkeys. Choose another way.",
    withoutScript: "A passkey needs JavaScript, which is switched off here. Choose another way.",
    withPassword: "Log in with your password",
    wrong: "This passkey cannot log you in. It may have been removed. Choose another way.",
    unverified:
      "This passkey did not check your finger, face or PIN, so it is not enough alone. Log in with your password: then it is your second step.",
    or: "or",
    recoveryCode: "Recovery code",
    recoveryHint: "Without your passkey, one of your recovery codes lets you in.",
  },
  withoutPasswords: {
    title: "There are no passwords here",
    text: (provider) =>
      `Passwords are switched off: you log in with ${provider}. If you cannot, ask an admin of your team.`,
  },
  link: {
    title: "Log in by a link",
    lead: (name, email) => `You log in as ${name} (${email}). This link works once.`,
    action: "Log in",
    invalidTitle: "This link is not valid",
    invalid:
      "It was used, a newer one was made, or it is older than 15 minutes. Ask the operator of this service for another one.",
  },
  forgot: {
    title: "Forgotten password",
    lead: "Enter the e-mail address of your account. You receive a link to set a new password.",
    action: "Send the link",
    sentTitle: "Look at your mail",
    sent: "If there is an account with this address, a link to set a new password is on its way. It works for one hour. No mail? Look into the spam folder, or ask an admin of your team.",
    withoutMail: "This service sends no mail. Ask an admin of your team for a new password.",
    tooMany: "Too many links were asked for. Try again in an hour, or ask an admin of your team.",
  },
  reset: {
    title: "Set a new password",
    lead: "It ends all of your sessions and disconnects your apps. API keys stay.",
    action: "Set the password",
    invalidTitle: "This link is not valid",
    invalid: "It was used, a newer one was sent, or it is older than an hour. Ask for another one.",
    again: "Ask for another link",
    doneTitle: "Your password is set",
    done: "Log in with your new password. All earlier sessions have ended.",
  },
  emailChange: {
    title: "Confirm the new e-mail address",
    question: "Shall the account with the first address have the second one from now on?",
    from: "From",
    to: "To",
    action: "Confirm",
    notYou:
      "If you did not ask for this, close this page: nothing happens. If the first address is yours, set a new password as well.",
    toApp: "Go to the knowledge base",
    results: {
      invalid: {
        title: "This link is not valid",
        text: "It was used, replaced or cancelled, or it is older than an hour. Send the links again under Settings > You.",
      },
      waiting: {
        title: "Confirmed",
        text: "One step is left: open the link in the other mailbox too. Then the address of the account changes to:",
      },
      changed: {
        title: "The address is changed",
        text: "Your password, your sessions and your keys stay. From now on, log in with:",
      },
      taken: {
        title: "This address is in use",
        text: "Another account has it, so nothing was changed. Use another address, or ask an admin of your team.",
      },
    },
  },
  setup: {
    title: "Set up your team",
    lead: "Name your team and make your account. You are its first admin.",
    code: "Code",
    codeHint: "The service printed it in the terminal when it started for the first time.",
    team: "Name of the team",
    name: "Your name",
    action: "Set up the team",
    wrongCode: "This is not the code. Copy it from the terminal in which the service started for the first time.",
    throttled: (minutes) =>
      `Too many wrong codes. Try again in ${minutesInEnglish(minutes)}, or log in with the printed password.`,
    noTeam: "Enter a name for the team, with at most 255 characters.",
    wrongEmail: "Enter an e-mail address, such as ada@example.com.",
  },
  join: {
    title: (team) => `Join ${team}`,
    lead: (by) => `${by} invites you to the team’s knowledge base. Set your name and a password.`,
    leadByProvider: (by, provider) =>
      `${by} invites you to the team’s knowledge base. Join with your account at ${provider}.`,
    action: "Join",
    withProvider: (provider) => `Join with ${provider}`,
    sameAddress: (provider) => `Your account at ${provider} must have the e-mail address above.`,
    invalidTitle: "This invitation is not valid",
    invalid:
      "It was used, withdrawn or sent again, or it is older than 7 days. If you have joined already, log in. Otherwise ask for a new invitation.",
    taken:
      "There is an account with this e-mail address already. Log in with it, or ask an admin of the team for help.",
  },
};
