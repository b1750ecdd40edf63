import { AppSecret, DatabaseUrl, LogLevel, Origin, readEnvironment, Switch, wholeNumber } from "@kb/http";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { requireOwnMetricsPort, TelemetryVariables } from "@kb/telemetry";
import { z } from "zod";

/** The environment of the worker as a process of its own. */
const WorkerEnvironment = z.object({
  DATABASE_URL: DatabaseUrl,
  APP_URL: Origin,
  APP_SECRET: AppSecret,
  APP_SECRET_PREVIOUS: AppSecret.optional(),
  HOST: z.string().default("127.0.0.1"),
  /** Where it answers `/api/health`; it serves nothing else, and nothing at all without this. */
  PORT: wholeNumber(0, 65_535).optional(),
  LOG_LEVEL: LogLevel.default("info"),
  KB_DATA_DIR: z.string().default(".data"),
  ...StorageVariables,
  ...TelemetryVariables,
  TRASH_RETENTION_DAYS: wholeNumber(0, 36_500).default(30),
  WEBHOOK_ALLOW_PRIVATE_NETWORK: Switch.default(false),
});

/** Reads this process's environment. @throws {EnvironmentError} that names every problem. */
export function workerEnvironment(): z.output<typeof WorkerEnvironment> {
  return readEnvironment(WorkerEnvironment.superRefine(requireKeyPair).superRefine(requireOwnMetricsPort), process.env);
}
