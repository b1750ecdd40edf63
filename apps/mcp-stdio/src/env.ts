import { EnvironmentError, InstallationVariables, LogLevel, QuotaVariables, readEnvironment } from "@kb/runtime";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { z } from "zod";

/** The variables that must be set, each with its description. */
const required = {
  SVC_API_KEY: "an API key of a member of the team (kb_…)",
  DATABASE_URL: "the address of the service's PostgreSQL, which `kb info` shows",
};

const StdioEnvironment = z
  .object({
    SVC_API_KEY: z.string().trim(),
    DATABASE_URL: InstallationVariables.DATABASE_URL,
    APP_URL: InstallationVariables.APP_URL.default("http://localhost:3000"),
    /** The folder of the service, where it stores attachments. */
    KB_DATA_DIR: z.string().optional(),
    LOG_LEVEL: LogLevel.default("warn"),
    ...StorageVariables,
    ...QuotaVariables,
  })
  .superRefine(requireKeyPair);

type Settings = z.output<typeof StdioEnvironment>;

/**
 * Reads this process's environment.
 * @throws {EnvironmentError} with one sentence if a required variable is missing, otherwise with every problem.
 */
export function stdioEnvironment(): Settings {
  const missing = Object.entries(required).filter(([name]) => (process.env[name] ?? "").trim() === "");
  if (missing.length > 0) {
    const described = missing.map(([name, description]) => `${name}, ${description}`).join(", and ");
    throw new EnvironmentError(`Set ${described}.`);
  }
  return readEnvironment(StdioEnvironment, process.env);
}
