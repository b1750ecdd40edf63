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
    shortPassword: "The password has fewer than 8 characters. Choose a longer one.",
    longPassword: "The password has more than 1,024 characters. Choose a shorter one.",
  },
  busy: "Too many people are logging in at the moment. Try again in a few seconds.",
  logIn: "Go to the log-in page",
  join: {
    title: (team) => `Join ${team}`,
    lead: (by) => `${by} invites you to the team’s knowledge base. Set your name and a password.`,
    action: "Join",
    invalidTitle: "This invitation is not valid",
    invalid:
      "It was used, withdrawn or sent again, or it is older than 7 days. If you have joined already, log in. Otherwise ask for a new invitation.",
    taken:
      "There is an account with this e-mail address already. Log in with it, or ask an admin of the team for help.",
  },
};
