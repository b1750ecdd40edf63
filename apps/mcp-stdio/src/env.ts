import { resolve } from "node:path";
import { dataDirHolder, describeCluster } from "@kb/db";
import {
  DataFolderVariables,
  EnvironmentError,
  InstallationVariables,
  LogLevel,
  QuotaVariables,
  readEnvironment,
} from "@kb/runtime";
import { requireKeyPair, StorageVariables } from "@kb/storage";
import { z } from "zod";

const database =
  "DATABASE_URL, the address of the service's PostgreSQL, which `kb info` shows, " +
  "or KB_DATA_DIR, the data folder of a `kb start` on this machine";

const StdioEnvironment = z
  .object({
    SVC_API_KEY: z.string().trim(),
    DATABASE_URL: InstallationVariables.DATABASE_URL,
    DATABASE_DIRECT_URL: InstallationVariables.DATABASE_DIRECT_URL,
    APP_URL: InstallationVariables.APP_URL.default("http://localhost:3000"),
    /** The folder of the service, where it stores attachments. */
    KB_DATA_DIR: z.string().optional(),
    LOG_LEVEL: LogLevel.default("warn"),
    ...StorageVariables,
    ...QuotaVariables,
  })
  .superRefine(requireKeyPair);

type Settings = z.output<typeof StdioEnvironment>;

const isSet = (name: string): boolean => (process.env[name] ?? "").trim() !== "";

/**
 * Reads this process's environment. Without DATABASE_URL, the database is the embedded one that runs in the data folder.
 * @throws {EnvironmentError} with one sentence if a required variable is missing, otherwise with every problem.
 */
export function stdioEnvironment(): Settings {
  const embedded = isSet("DATABASE_URL") ? {} : embeddedDatabase();
  const missing = [
    ...(isSet("SVC_API_KEY") ? [] : ["SVC_API_KEY, an API key of a member of the team (kb_…)"]),
    ...(isSet("DATABASE_URL") || "DATABASE_URL" in embedded ? [] : [database]),
  ];
  if (missing.length > 0) throw new EnvironmentError(`Set ${missing.join(", and ")}.`);
  return readEnvironment(StdioEnvironment, { ...process.env, ...embedded });
}

type Embedded = { readonly DATABASE_URL: string; readonly KB_DATA_DIR: string; readonly APP_URL?: string };

/** Returns the address of the `kb start` that serves the data folder, for the links in answers. */
function addressOfService(dataDir: string): { readonly APP_URL?: string } {
  const url = dataDirHolder(dataDir)?.url ?? "";
  return !isSet("APP_URL") && /^https?:/.test(url) ? { APP_URL: url } : {};
}

/** Returns the variables of the embedded PostgreSQL in KB_DATA_DIR, or in the usual folder below the working folder. */
function embeddedDatabase(): Embedded | Record<string, never> {
  const dataDir = resolve(readEnvironment(z.object(DataFolderVariables), process.env).KB_DATA_DIR);
  const running = findCluster(dataDir);
  if (running !== null) return { DATABASE_URL: running.url, KB_DATA_DIR: dataDir, ...addressOfService(dataDir) };
  if (!isSet("KB_DATA_DIR")) return {};
  throw new EnvironmentError(
    `No database runs in the data folder ${dataDir}: start the service with \`kb start\`, or set DATABASE_URL.`,
  );
}

function findCluster(dataDir: string): { url: string } | null {
  try {
    return describeCluster(dataDir);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new EnvironmentError(`The data folder ${dataDir} cannot be read (${cause}): set DATABASE_URL.`);
  }
}
