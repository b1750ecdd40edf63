import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";

const count = plural("en");

/** Words of the page about people. */
export const people = {
  title: "People",
  email: "E-mail address",
  name: "Name",
  groups: "Groups",
  groupsHelp: "Their permissions add up.",
  passwordOf: (name: string) => `Password of ${isolated(name)}`,
  password: "Password",
  search: "Search by name or address",
  searchButton: "Search",
  group: "Group",
  anyGroup: "Every group",
  state: "Show",
  states: { active: "Active people", suspended: "Suspended people", invited: "Open invitations" },
  found: (n: number) => count(n, { one: "# person", other: "# people" }),
  nobody: "Nobody matches. Change the search or the filters.",
  systemAdmin: "System admin",
  suspended: "Suspended",
  yourself: "You",
  withoutGroup: "In no group",
  actionsOf: (name: string) => `Actions for ${isolated(name)}`,
  edit: "Edit",
  editOf: (name: string) => `Edit ${isolated(name)}`,
  editTitle: (name: string) => `Edit ${isolated(name)}`,
  save: "Save",
  personSaved: (name: string) => `${isolated(name)} is saved.`,
  newPassword: "New password",
  newPasswordOf: (name: string) => `New password for ${isolated(name)}`,
  passwordWay: "How they get it",
  sendLink: "Send a link to set a password",
  sendLinkHelp: "It works once, within an hour. Their password stays until then.",
  makePassword: "Make a password now",
  makePasswordHelp:
    "You see it once and hand it over. Their sessions end and their assistants are disconnected at once. Their API keys keep working.",
  submitPassword: { link: "Send link", now: "Make password" },
  linkMailed: (email: string) => `A link to set a password is on its way to ${isolated(email)}.`,
  linkText: "No mail is sent here: hand over the link. It works once, within an hour.",
  suspend: "Suspend",
  suspendOf: (name: string) => `Suspend ${isolated(name)}`,
  suspendTitle: (name: string) => `Suspend ${isolated(name)}?`,
  suspendText:
    "Their sessions, API keys and assistants stop working at once. What they wrote stays. You can let them in again.",
  personSuspended: (name: string) => `${isolated(name)} is suspended.`,
  unsuspend: "Let in again",
  unsuspendOf: (name: string) => `Let in again: ${isolated(name)}`,
  personBack: (name: string) => `${isolated(name)} can log in again.`,
};
