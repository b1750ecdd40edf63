import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";

const count = plural("en");

/** Words of invitations to the team, and of links to set a password. */
export const invitations = {
  invite: "Invite people",
  emails: "E-mail addresses",
  emailsHelp: "One on each line, or separated by commas; at most 100.",
  language: "Language of the mail",
  languageHelp: "They can choose another one later.",
  submit: "Invite",
  mailed: (n: number) => count(n, { one: "# invitation is on its way.", other: "# invitations are on their way." }),
  members: (emails: string) => `In the team already: ${isolated(emails)}.`,
  link: "Link",
  links: "Links",
  linkOf: (email: string) => `Link for ${isolated(email)}`,
  handOver: "No mail is sent here: hand each person their link. It works once, within 7 days.",
  open: (n: number) => count(n, { one: "# open invitation", other: "# open invitations" }),
  none: "No open invitations.",
  invitedBy: (name: string) => `invited by ${isolated(name)}`,
  mails: { pending: "mail not sent yet", sent: "mailed", failed: "Mail failed", none: "not mailed" },
  expires: "valid until",
  expired: "Expired",
  expiredOn: "expired on",
  resend: "Send again",
  resendOf: (email: string) => `Send again to ${isolated(email)}`,
  resendTitle: (email: string) => `Invite ${isolated(email)} again?`,
  resendText: "The earlier link stops working. The new one works once, within 7 days.",
  resent: (email: string) => `An invitation to ${isolated(email)} is on its way.`,
  revoke: "Revoke",
  revokeOf: (email: string) => `Revoke invitation of ${isolated(email)}`,
  revokeTitle: (email: string) => `Revoke the invitation of ${isolated(email)}?`,
  revokeText: "Its link stops working at once.",
  revoked: (email: string) => `The invitation of ${isolated(email)} is revoked.`,
};
