export { type ClaimedMail, claimMails } from "./claim-mails.ts";
export { mailContentOf } from "./mail-content.ts";
export type { MailContent, MailKind } from "./mail-kinds.ts";
export { type MailService, mailServiceOf } from "./mail-service.ts";
export { mailChannel } from "./queue-mails.ts";
export { dropMail, type MailOutcome, settleMail } from "./settle-mail.ts";
