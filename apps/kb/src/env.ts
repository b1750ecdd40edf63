import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import {
  AppSecret,
  DatabaseUrl,
  LogLevel,
  OauthTokenVariables,
  Origin,
  oauthKeysOf,
  ProxyList,
  RedisUrl,
  readEnvironment,
  Switch,
  wholeNumber,
} from "@kb/http";
import {
  AuthorizationVariables,
  type OauthSettings,
  oauthSettings,
  requireWholeSingleSignOn,
  type SingleSignOnSettings,
  SingleSignOnVariables,
  singleSignOnSettings,
} from "@kb/oauth";
import { requireKeyPair, type StorageSettings, StorageVariables } from "@kb/storage";
import { requireOwnMetricsPort, type TelemetrySettings, TelemetryVariables } from "@kb/telemetry";
import { z } from "zod";

const Environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber(1, 65_535).default(3000),
  APP_URL: Origin.optional(),
  DATABASE_URL: DatabaseUrl.optional(),
  REDIS_URL: RedisUrl.optional(),
  APP_SECRET: AppSecret.optional(),
  APP_SECRET_PREVIOUS: AppSecret.optional(),
  KB_DATA_DIR: z.string().default(".data"),
  LOG_LEVEL: LogLevel.optional(),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(100),
  TRUSTED_PROXIES: ProxyList.default([]),
  ...StorageVariables,
  ...TelemetryVariables,
  ...SingleSignOnVariables,
  ...OauthTokenVariables,
  ...AuthorizationVariables,
  TRASH_RETENTION_DAYS: wholeNumber(0, 36_500).default(30),
  WEBHOOK_ALLOW_PRIVATE_NETWORK: Switch.default(false),
  KB_ADMIN_EMAIL: z.email("must be an e-mail address").default("admin@example.com"),
  KB_ADMIN_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
});

const Checked = Environment.superRefine(requireKeyPair)
  .superRefine(requireOwnMetricsPort)
  .superRefine(requireWholeSingleSignOn);

/** What the environment says, checked; this file is the only reader of `process.env` here. */
export type Settings = {
  host: string;
  port: number;
  /** The public origin, without a trailing slash. */
  appUrl: string;
  /** Undefined: the embedded server is used. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Undefined: made at the first start and kept in the data folder. */
  appSecret: string | undefined;
  /** The secret before a change of it: what was sealed or signed under it is good still. */
  appSecretPrevious: string | undefined;
  /** An absolute path. */
  dataDir: string;
  /** Undefined: `warn` on a terminal, `info` elsewhere. */
  logLevel: z.output<typeof LogLevel> | undefined;
  rateLimitPerMinute: number;
  trustedProxies: string[];
  /** Undefined: people log in by password alone. */
  singleSignOn: SingleSignOnSettings | undefined;
  /** The authorization server, for the secret of the installation; undefined where no app may connect. */
  authorization: (secret: string) => OauthSettings | undefined;
  /** Whether apps may connect, and whether their tokens have a secret of their own. */
  connectedApps: { readonly allowed: boolean; readonly ownSecret: boolean; readonly previousSecret: boolean };
  /** Where the bytes of attachments are: a folder in the data folder, or a bucket. */
  storage: StorageSettings;
  /** Whether spans and measurements go anywhere. */
  telemetry: TelemetrySettings;
  /** Documents in the trash go after so many days; 0 keeps them for ever. */
  trashRetentionDays: number;
  /** Whether webhooks may go to loopback and private addresses. */
  webhookAllowPrivateNetwork: boolean;
  adminEmail: string;
  adminPassword: string | undefined;
};

/** The names of the variables that are read here; `.env.example` explains each. */
export const variables: readonly string[] = Object.keys(Environment.shape);

/** The variables of `.env` in the working folder, where there is one, under those of the process. */
function environmentOfProcess(): NodeJS.ProcessEnv {
  let file = "";
  try {
    // Editors on Windows begin a file with a byte order mark: it is no part of the first variable's name.
    file = readFileSync(".env", "utf8").replace(/^\ufeff/, "");
  } catch {
    // There need not be one.
  }
  return { ...parseEnv(file), ...process.env };
}

/**
 * Reads the settings; a variable that is set to nothing counts as not set.
 * @throws {EnvironmentError} that names every variable that is wrong.
 */
export function readSettings(environment: NodeJS.ProcessEnv = environmentOfProcess()): Settings {
  const read = readEnvironment(Checked, environment);
  return {
    host: read.HOST,
    port: read.PORT,
    appUrl: read.APP_URL ?? `http://localhost:${read.PORT}`,
    databaseUrl: read.DATABASE_URL,
    redisUrl: read.REDIS_URL,
    appSecret: read.APP_SECRET,
    appSecretPrevious: read.APP_SECRET_PREVIOUS,
    dataDir: resolve(read.KB_DATA_DIR),
    logLevel: read.LOG_LEVEL,
    rateLimitPerMinute: read.RATE_LIMIT_PER_MINUTE,
    trustedProxies: read.TRUSTED_PROXIES,
    singleSignOn: singleSignOnSettings(read),
    authorization: (secret) => oauthSettings(read, oauthKeysOf({ ...read, APP_SECRET: secret })),
    connectedApps: {
      allowed: read.MCP_OAUTH_ENABLED !== false,
      ownSecret: read.MCP_OAUTH_TOKEN_SECRET !== undefined,
      previousSecret: read.MCP_OAUTH_TOKEN_SECRET_PREVIOUS !== undefined,
    },
    storage: read,
    telemetry: read,
    trashRetentionDays: read.TRASH_RETENTION_DAYS,
    webhookAllowPrivateNetwork: read.WEBHOOK_ALLOW_PRIVATE_NETWORK,
    adminEmail: read.KB_ADMIN_EMAIL,
    adminPassword: read.KB_ADMIN_PASSWORD,
  };
}
