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
import { requireOwnMetricsPort, TelemetryVariables } from "@kb/telemetry";
import { z } from "zod";
import { AuthorizationVariables } from "./settings.ts";
import { requireWholeSingleSignOn, SingleSignOnVariables } from "./single-sign-on/settings.ts";

/** The environment of the log-in and the authorization server as a process of its own. */
const OauthEnvironment = z
  .object({
    DATABASE_URL: DatabaseUrl,
    APP_URL: Origin,
    APP_SECRET: AppSecret,
    APP_SECRET_PREVIOUS: AppSecret.optional(),
    HOST: z.string().default("127.0.0.1"),
    PORT: wholeNumber(0, 65_535).default(3003),
    REDIS_URL: RedisUrl.optional(),
    LOG_LEVEL: LogLevel.default("info"),
    TRUSTED_PROXIES: ProxyList.default([]),
    UNREADY_MS: wholeNumber(0, 60_000).default(0),
    ...SingleSignOnVariables,
    ...TelemetryVariables,
    ...OauthTokenVariables,
    ...AuthorizationVariables,
  })
  .superRefine(requireOwnMetricsPort)
  .superRefine(requireWholeSingleSignOn);

/** Reads this process's environment. @throws {EnvironmentError} that names every problem. */
export function oauthEnvironment(): z.output<typeof OauthEnvironment> {
  return readEnvironment(OauthEnvironment, process.env);
}
