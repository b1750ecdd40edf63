import {
  EdgeVariables,
  InstallationVariables,
  PasswordVariables,
  Port,
  RateLimitVariables,
  ReplicaVariables,
  readEnvironment,
} from "@kb/runtime";
import { requireOwnMetricsPort } from "@kb/telemetry";
import { z } from "zod";

/** The environment of this app as a separate process. */
const WebEnvironment = z
  .object({
    ...InstallationVariables,
    ...ReplicaVariables,
    ...EdgeVariables,
    ...PasswordVariables,
    PORT: Port.default(3004),
    ...RateLimitVariables,
  })
  .superRefine(requireOwnMetricsPort);

/** Reads the environment. @throws {EnvironmentError} that lists every problem. */
export function webEnvironment(): z.output<typeof WebEnvironment> {
  return readEnvironment(WebEnvironment, process.env);
}
