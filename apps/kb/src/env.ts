import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { type Quotas, quotasOf } from "@kb/core/quotas";
import { OauthTokenVariables, oauthKeysOf, type RequestLimits, requestLimits } from "@kb/http/variables";
import {
  AuthorizationVariables,
  type OauthSettings,
  oauthSettings,
  requireWholeSingleSignOn,
  type SingleSignOnSettings,
  SingleSignOnVariables,
  singleSignOnSettings,
} from "@kb/oauth/variables";
import {
  DataFolderVariables,
  EdgeVariables,
  InstallationVariables,
  LogLevel,
  MailVariables,
  QuotaVariables,
  RateLimitVariables,
  ReplicaVariables,
  readEnvironment,
  requireWholeMail,
  SecretVariables,
  wholeNumber,
} from "@kb/runtime";
import { requireKeyPair, type StorageSettings, StorageVariables } from "@kb/storage";
import { requireOwnMetricsPort, type TelemetrySettings } from "@kb/telemetry";
import { WorkerVariables } from "@kb/worker/variables";
import { z } from "zod";
import { type BackupSettings, BackupVariables, requireBackupKeyPair } from "./backup/variables.ts";

const Environment = z.object({
  ...InstallationVariables,
  APP_URL: InstallationVariables.APP_URL.optional(),
  DATABASE_URL: InstallationVariables.DATABASE_URL.optional(),
  LOG_LEVEL: LogLevel.optional(),
  ...ReplicaVariables,
  ...SecretVariables,
  APP_SECRET: SecretVariables.APP_SECRET.optional(),
  HOST: EdgeVariables.HOST,
  PORT: wholeNumber(1, 65_535).default(3000),
  REDIS_URL: EdgeVariables.REDIS_URL,
  TRUSTED_PROXIES: EdgeVariables.TRUSTED_PROXIES,
  ...RateLimitVariables,
  ...DataFolderVariables,
  ...StorageVariables,
  ...BackupVariables,
  ...QuotaVariables,
  ...SingleSignOnVariables,
  ...OauthTokenVariables,
  ...AuthorizationVariables,
  ...WorkerVariables,
  ...MailVariables,
  KB_ADMIN_EMAIL: z.email("must be an e-mail address").default("admin@example.com"),
  KB_ADMIN_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
});

const Checked = Environment.superRefine(requireKeyPair)
  .superRefine(requireBackupKeyPair)
  .superRefine(requireOwnMetricsPort)
  .superRefine(requireWholeSingleSignOn)
  .superRefine(requireWholeMail)
  .refine(({ DATABASE_URL, DATABASE_DIRECT_URL }) => DATABASE_URL !== undefined || DATABASE_DIRECT_URL === undefined, {
    path: ["DATABASE_URL"],
    message: "is missing: it is the address of the pooler, DATABASE_DIRECT_URL that of PostgreSQL behind it",
  })
  .refine(({ DATABASE_URL, DATABASE_REPLICA_URL }) => DATABASE_URL !== undefined || DATABASE_REPLICA_URL.length === 0, {
    path: ["DATABASE_URL"],
    message: "is missing: DATABASE_REPLICA_URL names replicas of your own PostgreSQL; the embedded one has none",
  });

/** The settings from the environment. */
export type Settings = {
  host: string;
  port: number;
  /** The public origin, without a trailing slash. */
  appUrl: string;
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** The server itself, if `databaseUrl` is a pooler in transaction mode. */
  databaseDirectUrl: string | undefined;
  /** Read replicas of the database. */
  databaseReplicaUrls: readonly string[];
  redisUrl: string | undefined;
  /** Undefined: created at the first start and stored in the data folder. */
  appSecret: string | undefined;
  /** The previous secret, which still opens sealed values and verifies signatures. */
  appSecretPrevious: string | undefined;
  /** An absolute path. */
  dataDir: string;
  /** The folder in which the command was called, to which its paths are relative: `./kb` and pnpm run it in the root. */
  callerFolder: string;
  /** Undefined: `warn` on a terminal, `info` elsewhere. */
  logLevel: z.output<typeof LogLevel> | undefined;
  /** The mail server and the sender of mails; both undefined without one. */
  mail: { readonly SMTP_URL: string | undefined; readonly MAIL_FROM: string | undefined };
  /** Limits of requests. */
  requestLimits: Required<RequestLimits>;
  trustedProxies: string[];
  /** Whether users log in by password. */
  passwordLogIn: boolean;
  /** Undefined: users log in by password only. */
  singleSignOn: SingleSignOnSettings | undefined;
  /** Returns the settings of the authorization server for the secret; undefined if no app may connect. */
  authorization: (secret: string) => OauthSettings | undefined;
  /** Whether apps may connect, and whether their tokens have a separate secret. */
  connectedApps: { readonly allowed: boolean; readonly ownSecret: boolean; readonly previousSecret: boolean };
  /** Where attachments are stored: in the data folder or in a bucket. */
  storage: StorageSettings;
  /** Where backups are stored, for whom they are encrypted and how many are kept. */
  backups: BackupSettings;
  /** Limits of the stored data. */
  quotas: Quotas;
  /** Where spans and measurements are sent. */
  telemetry: TelemetrySettings;
  /** Days until documents in the trash are removed; 0 keeps them. */
  trashRetentionDays: number;
  /** Whether webhooks may be sent to loopback and private addresses. */
  webhookAllowPrivateNetwork: boolean;
  adminEmail: string;
  adminPassword: string | undefined;
};

/** The names of all variables; `.env.example` explains each. */
export const variables: readonly string[] = Object.keys(Environment.shape);

/** Reads the variables of the process, and of `.env` in the working folder if it exists. Those of the process win. */
function readProcessEnvironment(): NodeJS.ProcessEnv {
  let file = "";
  try {
    // Removes the byte order mark that some editors on Windows add.
    file = readFileSync(".env", "utf8").replace(/^\ufeff/, "");
  } catch {
    // The file is optional.
  }
  return { ...parseEnv(file), ...process.env };
}

/**
 * Reads the settings. An empty variable counts as not set.
 * @throws {EnvironmentError} that names every invalid variable
 */
export function readSettings(environment: NodeJS.ProcessEnv = readProcessEnvironment()): Settings {
  const read = readEnvironment(Checked, environment);
  return {
    host: read.HOST,
    port: read.PORT,
    appUrl: read.APP_URL ?? `http://localhost:${read.PORT}`,
    databaseUrl: read.DATABASE_URL,
    databaseDirectUrl: read.DATABASE_DIRECT_URL,
    databaseReplicaUrls: read.DATABASE_REPLICA_URL,
    redisUrl: read.REDIS_URL,
    appSecret: read.APP_SECRET,
    appSecretPrevious: read.APP_SECRET_PREVIOUS,
    dataDir: resolve(read.KB_DATA_DIR),
    callerFolder: resolve(environment.INIT_CWD ?? "."),
    logLevel: read.LOG_LEVEL,
    mail: { SMTP_URL: read.SMTP_URL, MAIL_FROM: read.MAIL_FROM },
    requestLimits: requestLimits(read),
    trustedProxies: read.TRUSTED_PROXIES,
    passwordLogIn: read.PASSWORD_LOGIN,
    singleSignOn: singleSignOnSettings(read),
    authorization: (secret) => oauthSettings(read, oauthKeysOf({ ...read, APP_SECRET: secret })),
    connectedApps: {
      allowed: read.MCP_OAUTH_ENABLED !== false,
      ownSecret: read.MCP_OAUTH_TOKEN_SECRET !== undefined,
      previousSecret: read.MCP_OAUTH_TOKEN_SECRET_PREVIOUS !== undefined,
    },
    storage: read,
    backups: read,
    quotas: quotasOf(read),
    telemetry: read,
    trashRetentionDays: read.TRASH_RETENTION_DAYS,
    webhookAllowPrivateNetwork: read.WEBHOOK_ALLOW_PRIVATE_NETWORK,
    adminEmail: read.KB_ADMIN_EMAIL,
    adminPassword: read.KB_ADMIN_PASSWORD,
  };
}
