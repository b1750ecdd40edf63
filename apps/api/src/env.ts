import {
  AppSecret,
  DatabaseUrl,
  LogLevel,
  OauthTokenVariables,
  Origin,
  ProxyList,
  RedisUrl,
  readEnvironment,
  wholeNumber,
} from "@kb/http";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { requireOwnMetricsPort, TelemetryVariables } from "@kb/telemetry";
import { z } from "zod";

/** The environment of the API as a process of its own. */
export const ApiEnvironment = z.object({
  DATABASE_URL: DatabaseUrl,
  APP_URL: Origin,
  APP_SECRET: AppSecret,
  APP_SECRET_PREVIOUS: AppSecret.optional(),
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(3001),
  REDIS_URL: RedisUrl.optional(),
  LOG_LEVEL: LogLevel.default("info"),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(100),
  TRUSTED_PROXIES: ProxyList.default([]),
  UNREADY_MS: wholeNumber(0, 60_000).default(0),
  KB_DATA_DIR: z.string().default(".data"),
  ...StorageVariables,
  ...TelemetryVariables,
  ...OauthTokenVariables,
});

/** Reads this process's environment. @throws {EnvironmentError} that names every problem. */
export function apiEnvironment(): z.output<typeof ApiEnvironment> {
  return readEnvironment(ApiEnvironment.superRefine(requireKeyPair).superRefine(requireOwnMetricsPort), process.env);
}
