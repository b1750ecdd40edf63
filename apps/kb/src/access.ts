import type { Service } from "@kb/core";
import { connect, type Database, DatabaseUnavailableError, MigrationError, migrate, migrationStatus } from "@kb/db";
import { openFiles } from "@kb/storage";
import { borrowServer } from "./embedded.ts";
import type { Settings } from "./env.ts";
import { CommandError } from "./failure.ts";

/** The service as a command sees it: the operations, straight on the database. */
export type Access = { readonly service: Service; readonly databaseUrl: string };

/** The service over an open database, with the clock of the machine and a place for the bytes of attachments. */
export const serviceOf = (
  database: Database,
  { appUrl, storage, dataDir }: Pick<Settings, "appUrl" | "storage" | "dataDir">,
): Service => ({
  database,
  clock: { now: () => new Date() },
  appUrl,
  files: openFiles(storage, dataDir),
});

/** Where PostgreSQL is, for as long as `run` takes: `DATABASE_URL`, the server of a running `kb start`, or one of its own. */
export async function withDatabaseUrl<T>(
  settings: Settings,
  progress: (message: string) => void,
  run: (url: string, owned: boolean) => Promise<T>,
): Promise<T> {
  if (settings.databaseUrl !== undefined) return run(settings.databaseUrl, false);
  const server = await borrowServer(settings.dataDir, progress);
  try {
    return await run(server.url, server.owned);
  } finally {
    await server.release();
  }
}

/** Runs a command on the service. A server of its own is brought up to date first; one that others use has to be already. */
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
  const { pending } = await reaching(url, () => migrationStatus(url));
  if (pending.length === 0) return;
  if (owned) {
    await applyMigrations(url, progress);
    return;
  }
  const count = `${pending.length} migration${pending.length === 1 ? " is" : "s are"} not applied`;
  throw new CommandError("not_migrated", `The database is not up to date (${count}). Run \`kb migrate\` first.`);
}

/** Brings the schema up to date. @throws {CommandError} `migration_failed` or `unavailable`, with what to do. */
export async function applyMigrations(url: string, progress: (message: string) => void): Promise<string[]> {
  return reaching(url, async () => (await migrate(url, { onProgress: progress })).applied);
}

/** The first word with PostgreSQL: where it fails, the address, the account or the database is wrong. */
async function reaching<T>(url: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MigrationError) throw explained(error);
    const { host } = new URL(url);
    const cause = error instanceof Error ? error.message : String(error);
    const what = error instanceof DatabaseUnavailableError ? "does not answer" : `refuses (${cause})`;
    const way = "Start it, mend DATABASE_URL, or unset it to use the embedded one.";
    throw new CommandError("unavailable", `PostgreSQL at ${host} ${what}. ${way}`, { cause: error });
  }
}

/** What PostgreSQL's migrations say, as the command says it; everything else as it is. */
export function explained(error: unknown): unknown {
  return error instanceof MigrationError
    ? new CommandError("migration_failed", `${error.message.replace(/^./, (first) => first.toUpperCase())}.`, {
        cause: error,
      })
    : error;
}
