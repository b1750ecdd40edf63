import { openMailer } from "@kb/worker/mailer";
import type { Settings } from "../env.ts";
import { type Finding, fail, ok, reason } from "./finding.ts";

/** Checks whether the mail server takes mails, if it is set. Sends none. */
export async function mailFinding({ mail, appUrl }: Settings): Promise<Finding> {
  const { SMTP_URL: url, MAIL_FROM: from } = mail;
  if (url === undefined || from === undefined) {
    return ok("mail", "not used: the service shows admins the links to hand over");
  }
  const { hostname } = new URL(url);
  try {
    await openMailer({ url, from }, appUrl).verify();
    return ok("mail", `${hostname} accepts the log-in`);
  } catch (error) {
    return fail("mail", `${hostname} refuses or does not respond (${reason(error)}): correct SMTP_URL.`);
  }
}
