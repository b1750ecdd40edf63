import { type MailService, mailServiceOf } from "@kb/core/mail-service";
import type { Settings } from "./env.ts";
import { CommandError } from "./failure.ts";
import { existingSecret, keptSecret } from "./start/secret.ts";

/**
 * Returns the mail service of a command; undefined without a mail server. The links in mails are sealed with the secret of the
 * service: a new one is made only for the embedded database, which nobody else serves.
 * @throws {CommandError} `data_dir_unusable`, or `usage` without the secret
 */
export function mailServiceOfCommand({ mail, appSecret, dataDir, databaseUrl }: Settings): MailService | undefined {
  if (mail.SMTP_URL === undefined) return undefined;
  const secret = appSecret ?? (databaseUrl === undefined ? keptSecret(dataDir) : existingSecret(dataDir));
  if (secret === null) throw new CommandError("usage", "Set APP_SECRET to that of the service, which sends the mails.");
  return mailServiceOf({ ...mail, APP_SECRET: secret });
}
