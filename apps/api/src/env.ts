import { OauthTokenVariables } from "@kb/http";
import {
  DataFolderVariables,
  EdgeVariables,
  InstallationVariables,
  MailVariables,
  PasswordVariables,
  Port,
  QuotaVariables,
  RateLimitVariables,
  ReplicaVariables,
  readEnvironment,
  requireWholeMail,
  SecretVariables,
} from "@kb/runtime";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { requireOwnMetricsPort } from "@kb/telemetry";
import { z } from "zod";

/** The environment of the API as a process of its own. */
export const ApiEnvironment = z.object({
  ...InstallationVariables,
  ...ReplicaVariables,
  ...SecretVariables,
  ...MailVariables,
  ...PasswordVariables,
  ...EdgeVariables,
  PORT: Port.default(3001),
  ...RateLimitVariables,
  ...DataFolderVariables,
  ...StorageVariables,
  ...QuotaVariables,
  ...OauthTokenVariables,
});

/** Reads this process's environment. @throws {EnvironmentError} that names every problem. */
export function apiEnvironment(): z.output<typeof ApiEnvironment> {
  const checked = ApiEnvironment.superRefine(requireKeyPair)
    .superRefine(requireOwnMetricsPort)
    .superRefine(requireWholeMail);
  return readEnvironment(checked, process.env);
}
