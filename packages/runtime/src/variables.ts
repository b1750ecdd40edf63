import { TelemetryVariables } from "@kb/telemetry";
import { z } from "zod";
import {
  AppSecret,
  DatabaseUrl,
  DatabaseUrls,
  LogLevel,
  MailSender,
  Origin,
  ProxyList,
  RedisUrl,
  SmtpUrl,
  Switch,
  wholeNumber,
} from "./variable-types.ts";

// Every variable that more than one process reads is declared here once. The `env.ts` of an app composes these groups;
// an app that requires less replaces a member, such as `InstallationVariables.DATABASE_URL.optional()`.

/** Describes the installation that a process belongs to, and how the process reports on itself. */
export const InstallationVariables = {
  DATABASE_URL: DatabaseUrl,
  DATABASE_DIRECT_URL: DatabaseUrl.optional(),
  APP_URL: Origin,
  ALLOW_INSECURE_HTTP: Switch.default(false),
  LOG_LEVEL: LogLevel.default("info"),
  ...TelemetryVariables,
};

/** Read by every process that searches or exports. */
export const ReplicaVariables = {
  DATABASE_REPLICA_URL: DatabaseUrls.default([]),
};

/** The secret of the installation, and the one before it while it is being changed. */
export const SecretVariables = {
  APP_SECRET: AppSecret,
  APP_SECRET_PREVIOUS: AppSecret.optional(),
};

/** Whether people log in with passwords. */
export const PasswordVariables = {
  PASSWORD_LOGIN: Switch.default(true),
};

/** The mail server, and the sender of all mails. Without them no mail is sent. */
export const MailVariables = {
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: MailSender.optional(),
};

type SomeMailVariables = { readonly SMTP_URL?: string | undefined; readonly MAIL_FROM?: string | undefined };

/** Requires both variables or neither. */
export function requireWholeMail(variables: SomeMailVariables, context: z.RefinementCtx): void {
  const { SMTP_URL, MAIL_FROM } = variables;
  const missing = SMTP_URL === undefined ? "SMTP_URL" : "MAIL_FROM";
  if ((SMTP_URL === undefined) === (MAIL_FROM === undefined)) return;
  context.addIssue({ code: "custom", path: [missing], message: "is missing: set SMTP_URL and MAIL_FROM, or neither" });
}

/** The folder of a process that stores files. */
export const DataFolderVariables = {
  KB_DATA_DIR: z.string().default(".data"),
};

/** The address that a process listens on. The port has a default of its own in each app. */
export const HostVariables = {
  HOST: z.string().default("127.0.0.1"),
};

/** A port to listen on; 0 takes a free one. */
export const Port = wholeNumber(0, 65_535);

/** Read by every process that serves requests behind a proxy. */
export const EdgeVariables = {
  ...HostVariables,
  REDIS_URL: RedisUrl.optional(),
  TRUSTED_PROXIES: ProxyList.default([]),
  UNREADY_MS: wholeNumber(0, 60_000).default(0),
};

const Bytes = wholeNumber(1, 1_000_000_000_000_000).optional();

/** Read by every process that stores documents or attachments. Without a quota, that kind of data may grow. */
export const QuotaVariables = {
  QUOTA_TEAM_DOCUMENT_BYTES: Bytes,
  QUOTA_TEAM_REVISION_BYTES: Bytes,
  QUOTA_TEAM_ATTACHMENT_BYTES: Bytes,
  QUOTA_TEAM_IMPORT_BYTES: Bytes,
  QUOTA_USER_DOCUMENT_BYTES: Bytes,
  QUOTA_USER_REVISION_BYTES: Bytes,
  QUOTA_USER_ATTACHMENT_BYTES: Bytes,
  QUOTA_USER_IMPORT_BYTES: Bytes,
};

/** More than a process can serve in a minute: such a limit lets everything through. */
const mostRequests = 1_000_000_000;

/** Read by every process that limits requests per caller. */
export const RateLimitVariables = {
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, mostRequests).default(100),
  RATE_LIMIT_SESSION_PER_MINUTE: wholeNumber(1, mostRequests).default(600),
  RATE_LIMIT_PAGES_PER_MINUTE: wholeNumber(1, mostRequests).default(300),
  RATE_LIMIT_CPU_MS_PER_MINUTE: wholeNumber(1, 1_000_000_000).optional(),
  RATE_LIMIT_BYTES_PER_MINUTE: wholeNumber(1, 1_000_000_000_000).optional(),
};
