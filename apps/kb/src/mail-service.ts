import { type MailService, mailServiceOf } from "@kb/core";
import type { Settings } from "./env.ts";
import { keptSecret } from "./start/secret.ts";

/** Returns the mail service of a command; undefined without a mail server. @throws {CommandError} `data_dir_unusable` */
export function mailServiceOfCommand({ mail, appSecret, dataDir }: Settings): MailService | undefined {
  if (mail.SMTP_URL === undefined) return undefined;
  return mailServiceOf({ ...mail, APP_SECRET: appSecret ?? keptSecret(dataDir) });
}
