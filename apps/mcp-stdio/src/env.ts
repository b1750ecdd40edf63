import { DatabaseUrl, EnvironmentError, LogLevel, Origin, readEnvironment } from "@kb/http";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { z } from "zod";

/** What has to be there, and what it is. */
const required = {
  SVC_API_KEY: "an API key of a member of the team (kb_…)",
  DATABASE_URL: "the address of the service's PostgreSQL, which `kb info` shows",
};

const StdioEnvironment = z
  .object({
    SVC_API_KEY: z.string().trim(),
    DATABASE_URL: DatabaseUrl,
    APP_URL: Origin.default("http://localhost:3000"),
    /** Where the service keeps the files of attachments. */
    KB_DATA_DIR: z.string().optional(),
    LOG_LEVEL: LogLevel.default("warn"),
    ...StorageVariables,
  })
  .superRefine(requireKeyPair);

type Settings = z.output<typeof StdioEnvironment>;

/**
 * Reads this process's environment.
 * @throws {EnvironmentError} of one sentence where a variable is missing, else of every problem.
 */
export function stdioEnvironment(): Settings {
  const missing = Object.entries(required).filter(([name]) => (process.env[name] ?? "").trim() === "");
  if (missing.length > 0) {
    const told = missing.map(([name, what]) => `${name}, ${what}`).join(", and ");
    throw new EnvironmentError(`Set ${told}.`);
  }
  return readEnvironment(StdioEnvironment, process.env);
}
