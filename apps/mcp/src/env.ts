import { OauthTokenVariables, requireTokenSecret } from "@kb/http";
import {
  DataFolderVariables,
  EdgeVariables,
  InstallationVariables,
  Port,
  QuotaVariables,
  RateLimitVariables,
  ReplicaVariables,
  readEnvironment,
  SecretVariables,
} from "@kb/runtime";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { requireOwnMetricsPort } from "@kb/telemetry";
import { z } from "zod";

/** The environment of the MCP endpoint as a separate process. */
const McpEnvironment = z.object({
  ...InstallationVariables,
  ...ReplicaVariables,
  ...SecretVariables,
  // Needed only to verify the tokens of connected apps.
  APP_SECRET: SecretVariables.APP_SECRET.optional(),
  ...EdgeVariables,
  PORT: Port.default(3002),
  ...RateLimitVariables,
  ...DataFolderVariables,
  ...StorageVariables,
  ...QuotaVariables,
  ...OauthTokenVariables,
});

/** Reads this process's environment. @throws {EnvironmentError} that names every problem. */
export function mcpEnvironment(): z.output<typeof McpEnvironment> {
  return readEnvironment(
    McpEnvironment.superRefine(requireKeyPair).superRefine(requireOwnMetricsPort).superRefine(requireTokenSecret),
    process.env,
  );
}
