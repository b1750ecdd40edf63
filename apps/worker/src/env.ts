import {
  DataFolderVariables,
  HostVariables,
  InstallationVariables,
  MailVariables,
  Port,
  QuotaVariables,
  readEnvironment,
  requireWholeMail,
  SecretVariables,
} from "@kb/runtime";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { requireOwnMetricsPort } from "@kb/telemetry";
import { z } from "zod";
import { WorkerVariables } from "./variables.ts";

/** The environment of the worker as a separate process. */
const WorkerEnvironment = z.object({
  ...InstallationVariables,
  ...SecretVariables,
  ...HostVariables,
  /** The port of `/api/health`. Without it the worker does not listen. */
  PORT: Port.optional(),
  ...DataFolderVariables,
  ...StorageVariables,
  ...QuotaVariables,
  ...WorkerVariables,
  ...MailVariables,
});

/** Reads this process's environment. @throws {EnvironmentError} that names every problem. */
export function workerEnvironment(): z.output<typeof WorkerEnvironment> {
  const checked = WorkerEnvironment.superRefine(requireKeyPair)
    .superRefine(requireOwnMetricsPort)
    .superRefine(requireWholeMail);
  return readEnvironment(checked, process.env);
}
