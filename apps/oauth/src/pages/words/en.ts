import { html } from "hono/html";
import { minutesInEnglish } from "./minutes.ts";
import type { PageWords } from "./page-words.ts";

/** The words of the pages of log-in, log-out, consent and problems, in English. */
export const en: PageWords = {
  useAnotherAccount: "Use another account",
  forDevelopers: "For the developer of the app:",
  logIn: {
    title: "Log in",
    lead: "to your team’s knowledge base",
    leadForApp: "An app wants to connect. Log in to continue.",
    forgotten: "Forgotten password?",
    or: "or",
    withProvider: (provider) => `Log in with ${provider}`,
    passwordsOff: "Passwords are switched off here.",
    throttled: (minutes) => `Too many failed log-ins. Try again in ${minutesInEnglish(minutes)}.`,
    wrong: "The e-mail address or password is incorrect.",
    fewLeft: "There were many failed log-ins to this account: you have only a few attempts left.",
  },
  logOut: {
    title: "Log out",
    question: "Log out?",
    account: (name, email) => html`You are logged in as ${name} (${email}).`,
    doneTitle: "You are logged out",
    done: "You are not logged in to this site in this browser.",
  },
  consent: {
    title: (app) => `${app ?? "An app"} wants to connect`,
    question: (app) => html`Connect <bdi>${app ?? "this app"}</bdi>?`,
    lead: (team) => html`It wants to use the knowledge base of <strong><bdi>${team}</bdi></strong> on your behalf.`,
    legend: "What may it do?",
    allow: "Allow",
    deny: "Deny",
    limits:
      "It never sees your password, and it can do nothing that you cannot do yourself. You can disconnect it at any time.",
    proof: "It has been a while since you logged in. Confirm that it is you.",
    wrongPassword: "This is not your password.",
    manyPasswords: (minutes) => `Too many wrong passwords. Try again in ${minutesInEnglish(minutes)}.`,
    you: "You",
    from: "From",
    next: "Next",
    nextSteps: {
      web: (shown) => html`You go to <code>${shown}</code>`,
      loopback: (shown) => html`You go to a program on this computer, at <code>${shown}</code>`,
      app: (shown) => html`An app on this device opens: the one for <code>${shown}:</code>`,
    },
    nameless: "The app does not state its name.",
    unverified: "The app chose this name itself, and nobody has verified it.",
    check: "Check first.",
    listener: (address) =>
      html`Any program on this computer could be listening at ${address}. Continue only if you have just started this yourself.`,
    trusted: "Continue only if you have just started this in an app that you trust.",
    read: { name: "Read", meaning: "Find and read what you can read." },
    readWrite: {
      name: "Read and write",
      meaning: "Also create, change, publish and delete documents on your behalf. Deleted documents go to the trash.",
    },
    readsOnly: "You have only read access yourself, so it could do no more.",
  },
  mcpDisabled: {
    title: "Apps cannot connect yet",
    reason: (team, app) =>
      html`Your team <strong><bdi>${team}</bdi></strong> has turned off connections to assistants (MCP), so <bdi>${app ?? "the app"}</bdi> could not connect.`,
    wayOut: "Ask an admin of the team to turn them on. Then start again from the app.",
    back: (app) => html`Back to <bdi>${app ?? "the app"}</bdi>`,
    account: (name) => html`You are logged in as <bdi>${name}</bdi>.`,
  },
  approval: {
    title: "An admin has to approve this app",
    reason: (team, app) =>
      html`In your team <strong><bdi>${team}</bdi></strong>, people connect only apps that an admin has approved. <bdi>${app ?? "This app"}</bdi> is not one of them yet.`,
    asked:
      "The app waits for approval. The admins of your team see the request in Settings > Assistants. This page tells you when they have approved it.",
    approved: "An admin has approved this app. You can connect it now.",
    connect: "Go on",
    refused: "An admin has refused this app. You can ask again.",
    ask: "Ask for approval",
    again: "Check again",
  },
  request: {
    invalid: {
      title: "The app’s request is invalid",
      words: "You did nothing wrong. Try again from the app. If the problem remains, contact the app’s developer.",
    },
    unregistered: {
      title: "This app is not registered",
      words: "Its registration may have expired. Remove the connection in the app, then add it again.",
    },
    tooMany: {
      title: "Too many requests",
      words: "Too many people are connecting this app at the moment. Wait a minute, then try again.",
    },
    needsConsent: {
      title: "The app needs your consent",
      words: "The app tried to connect without asking you. Connect it again from the app.",
    },
    nothingAllowed: "Nothing was allowed, and you were not sent back to the app.",
    notConnected: (app, destination) =>
      html`Nothing was allowed. <bdi>${app ?? "The app"}</bdi> registered itself, and you have not connected it. Continue only if you trust ${destination}.`,
    continueTo: (destination) => html`Continue to ${destination}`,
    appFor: (scheme) => html`the app for <code>${scheme}:</code>`,
  },
  problem: {
    titles: { 404: "Page not found", 500: "Something went wrong", 503: "Temporarily unavailable" },
    title: "This did not work",
    notFound: "This address does not exist.",
    message: ({ error }) => error,
    reference: (requestId) => `If this happens again, give your administrator this number: ${requestId}.`,
    toLogIn: "Go to the log-in page",
  },
};
