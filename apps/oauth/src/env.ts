import { OauthTokenVariables } from "@kb/http";
import {
  EdgeVariables,
  InstallationVariables,
  MailVariables,
  Port,
  RateLimitVariables,
  readEnvironment,
  requireWholeMail,
  SecretVariables,
} from "@kb/runtime";
import { requireOwnMetricsPort } from "@kb/telemetry";
import { z } from "zod";
import { AuthorizationVariables } from "./settings.ts";
import { requireWholeSingleSignOn, SingleSignOnVariables } from "./single-sign-on/settings.ts";

/** The environment of this app as a separate process. */
const OauthEnvironment = z
  .object({
    ...InstallationVariables,
    ...SecretVariables,
    ...MailVariables,
    ...EdgeVariables,
    PORT: Port.default(3003),
    ...RateLimitVariables,
    ...SingleSignOnVariables,
    ...OauthTokenVariables,
    ...AuthorizationVariables,
  })
  .superRefine(requireOwnMetricsPort)
  .superRefine(requireWholeSingleSignOn)
  .superRefine(requireWholeMail);

/** Reads the environment. @throws {EnvironmentError} that lists every problem. */
export function oauthEnvironment(): z.output<typeof OauthEnvironment> {
  return readEnvironment(OauthEnvironment, process.env);
}
