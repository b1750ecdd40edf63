import { plural } from "../../plural.ts";

const count = plural("en");

/** Words about the second step of a log-in. */
export const secondFactor = {
  title: "Second step of your log-in",
  help: "After your password or a single sign-on, you type a code that an app on your phone shows. A stolen password alone then lets nobody in.",
  off: "It is off: you log in without a code.",
  setUp: "Set up",
  on: "Authenticator app since",
  codesLeft: "Recovery codes left",
  codes: (n: number) => count(n, { one: "# code", other: "# codes" }),
  fewCodes: "Get new recovery codes before the last one is used. Without your phone they are the only way in.",
  newCodes: "New recovery codes",
  changeApp: "Change the app",
  turnOff: "Turn off",
  proveTitle: "Prove that it is you",
  next: "Next",
  password: "Current password",
  code: "Code",
  codeHelp: "Six digits from your authenticator app, or one of your recovery codes.",
  scanTitle: "Connect your app",
  scanText:
    "Scan this picture with an authenticator app, such as Aegis, Google Authenticator or 1Password. Then type the code that the app shows.",
  scanEnds: "Your other sessions then end and your assistants are disconnected. Your API keys keep working.",
  picture: "QR code with the key",
  key: "Key, if you cannot scan",
  appCode: "Code from the app",
  confirm: "Switch on",
  recoveryTitle: "Keep your recovery codes",
  recoveryText: "Each of them replaces a code of your app once. You need them if you lose your phone.",
  recoveryLabel: "Recovery codes",
  newCodesTitle: "New recovery codes?",
  newCodesText: "The codes that you kept so far stop working.",
  turnOffTitle: "Turn off the second step?",
  turnOffText: "You then log in without a code.",
  isRequired: "Your team requires it of everybody.",
  requiredTitle: "Second step for everybody",
  requiredOff: "Each member decides whether their log-in has a second step.",
  requiredOn: "Everybody needs a second step. Members without one set it up at their next log-in.",
  ownFirst: "Set up your own second step on the page You first. You could not log in otherwise.",
  require: "Require a second step",
  requireText:
    "Members without one are logged out now, and set it up when they log in. API keys and assistants keep working.",
  stopRequiring: "Leave it to each member",
  stopRequiringText: "Members may turn their second step off. Nobody is logged out.",
  turnedOff: "The second step is off.",
};
