import type { Service } from "@kb/core";
import {
  connect,
  type Database,
  DatabaseUnavailableError,
  databaseExists,
  databaseNameOf,
  MigrationError,
  migrate,
  migrationStatus,
} from "@kb/db";
import { type OnCheckChange, openFiles } from "@kb/storage";
import { borrowServer } from "./embedded.ts";
import type { Settings } from "./env.ts";
import { CommandError } from "./failure.ts";

/** Direct access of a command to the service and its database. */
export type Access = { readonly service: Service; readonly databaseUrl: string };

/**
 * Creates the service on an open database, with the system clock and the store of attachments. `onFilesChange` is called when checks of
 * that store begin to fail, and when they succeed again.
 */
export const serviceOf = (
  database: Database,
  { appUrl, storage, dataDir, quotas }: Pick<Settings, "appUrl" | "storage" | "dataDir" | "quotas">,
  onFilesChange?: OnCheckChange,
): Service => ({
  database,
  clock: { now: () => new Date() },
  appUrl,
  files: openFiles(storage, dataDir, onFilesChange),
  quotas,
});

/**
 * Runs with a PostgreSQL: that of `DATABASE_URL`, of a running `kb start`, or one started for this command. Never with a pooler in
 * front of it, because commands migrate, copy whole tables and hold locks.
 */
export async function withDatabaseUrl<T>(
  settings: Settings,
  progress: (message: string) => void,
  run: (url: string, owned: boolean) => Promise<T>,
): Promise<T> {
  const given = settings.databaseDirectUrl ?? settings.databaseUrl;
  if (given !== undefined) return run(given, false);
  const server = await borrowServer(settings.dataDir, progress);
  try {
    return await run(server.url, server.owned);
  } finally {
    await server.release();
  }
}

/** Runs a command on the service. Migrates a server started for this command; any other must be up to date. */
export async function withService<T>(
  settings: Settings,
  progress: (message: string) => void,
  run: (access: Access) => Promise<T>,
): Promise<T> {
  return withDatabaseUrl(settings, progress, async (databaseUrl, owned) => {
    await prepareSchema(databaseUrl, owned, progress);
    const database = connect({ url: databaseUrl, poolMax: 5, applicationName: "kb command" });
    try {
      return await run({ service: serviceOf(database, settings), databaseUrl });
    } finally {
      await database.close();
    }
  });
}

async function prepareSchema(url: string, owned: boolean, progress: (message: string) => void): Promise<void> {
  const { pending } = await requireReachable(url, () => migrationStatus(url));
  if (pending.length === 0) return;
  if (owned) {
    await applyMigrations(url, progress);
    return;
  }
  await requireDatabase(url);
  const count = `${pending.length} pending migration${pending.length === 1 ? "" : "s"}`;
  throw new CommandError("not_migrated", `The database is not up to date (${count}). Run \`kb migrate\` first.`);
}

/**
 * Refuses a database that does not exist. A mistyped name would otherwise become a second, empty installation.
 * @throws {CommandError} `no_database` or `unavailable`
 */
export async function requireDatabase(url: string): Promise<void> {
  if (await requireReachable(url, () => databaseExists(url))) return;
  const where = `There is no database ${JSON.stringify(databaseNameOf(url))} on PostgreSQL at ${new URL(url).host}.`;
  const advice = "Correct its name in DATABASE_URL, or create it with `kb migrate --create`.";
  throw new CommandError("no_database", `${where} ${advice}`);
}

/** Migrates the database; returns the applied migrations. @throws {CommandError} `migration_failed` or `unavailable` */
export async function applyMigrations(url: string, progress: (message: string) => void): Promise<string[]> {
  return requireReachable(url, async () => (await migrate(url, { onProgress: progress })).applied);
}

/** Runs the first statements on PostgreSQL; explains a failure, whose cause is the address, the account or the database. */
async function requireReachable<T>(url: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MigrationError) throw toCommandError(error);
    const { host } = new URL(url);
    const cause = error instanceof Error ? error.message : String(error);
    const problem =
      error instanceof DatabaseUnavailableError ? "does not respond" : `refuses the connection (${cause})`;
    const advice = isUntrusted(error)
      ? "Name the certificate authority of the server as sslrootcert in DATABASE_URL, and the host as its certificate does."
      : "Start it, correct DATABASE_URL, or unset DATABASE_URL to use the embedded PostgreSQL.";
    throw new CommandError("unavailable", `PostgreSQL at ${host} ${problem}. ${advice}`, { cause: error });
  }
}

/** Codes of Node for a certificate that it does not trust: https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const untrusted = /^(?:UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

const isUntrusted = (error: unknown): boolean =>
  error instanceof Error && "code" in error && untrusted.test(String(error.code));

/** Converts a migration error to a command error; returns any other error unchanged. */
export function toCommandError(error: unknown): unknown {
  return error instanceof MigrationError
    ? new CommandError("migration_failed", `${error.message.replace(/^./, (first) => first.toUpperCase())}.`, {
        cause: error,
      })
    : error;
}
