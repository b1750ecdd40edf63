import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { sqlState, toUnavailableError } from "./errors.ts";
import {
  asMigrationList,
  concurrentIndexOf,
  type MigrationFile,
  prismaDirectory,
  readMigrations,
} from "./migration-files.ts";
import {
  compareMigrations,
  MigrationError,
  type MigrationStatus,
  readMigrationStatus,
  requireSoundMigrations,
} from "./migration-status.ts";
import { readTextFacts, requireUsableServer, requireVersion, type TextFacts } from "./server-facts.ts";
import { takeLock } from "./session-lock.ts";

/** Options of applying migrations. */
export type MigrateOptions = {
  /** Receives progress messages. */
  onProgress?: (message: string) => void;
  directory?: string;
  /** The names of the migrations to apply. Default: all. */
  only?: ReadonlySet<string>;
  /** The time in which to retry a migration that cannot get a lock. Default ten minutes. */
  retryForMs?: number;
};

// The key of the advisory lock, an arbitrary number.
const lockKey = "5462017331";
const lockWaitMs = 120_000;

/**
 * Migrates a database to the newest schema. Creates it if it is missing and applies each pending migration in its own
 * transaction. A second process waits and then finds nothing to do. A migration waits at most one second for a lock,
 * because all later statements wait behind it; then it rolls back and tries again.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { onProgress = () => {}, directory = prismaDirectory, only } = options;
  try {
    await createDatabaseIfMissing(url, onProgress);
    return await withClient(url, async (client) => {
      await requireMigrationLock(client, { onWait: () => onProgress("waiting: another process is migrating") });
      await client.query(`SET lock_timeout = ${lockWaitMs}`);
      const migrations = (await readMigrations(directory)).filter(({ name }) => only?.has(name) ?? true);
      await dropUnfinishedIndexes(client, migrations);
      const status = await readMigrationStatus(client, migrations);
      requireSoundMigrations(status);
      if (status.pending.length === 0) return { applied: [] };
      await requireUsableServer(client);
      onProgress(`applying ${status.pending.length} migration${status.pending.length === 1 ? "" : "s"}`);
      await applyWithRetry(url, client, { ...options, migrations });
      return { applied: status.pending };
    });
  } catch (error) {
    throw toUnavailableError(error);
  }
}

/** Prevents migrations until the transaction of the connection ends. */
export const lockMigrations = (client: pg.ClientBase): Promise<void> =>
  requireMigrationLock(client, { until: "transaction" });

/** Waits until no other process migrates. */
async function requireMigrationLock(client: pg.ClientBase, options: Parameters<typeof takeLock>[2]): Promise<void> {
  if (await takeLock(client, lockKey, { ...options, timeoutMs: lockWaitMs })) return;
  throw new MigrationError("another process has been migrating for two minutes");
}

/**
 * Drops indexes whose concurrent build or removal was interrupted by a killed process, the only remains that a migration can
 * leave. Marks their migrations as pending.
 */
async function dropUnfinishedIndexes(client: pg.Client, migrations: readonly MigrationFile[]): Promise<void> {
  const { failed } = await readMigrationStatus(client, [...migrations]);
  for (const { name, sql } of migrations) {
    const index = concurrentIndexOf(sql);
    if (index === null || !failed.includes(name)) continue;
    // Waits if PostgreSQL is still building or dropping the index.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${client.escapeIdentifier(index)}`);
    await client.query(
      "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND finished_at IS NULL",
      [name],
    );
  }
}

/** Compares the folder with a database; every migration is pending if the database does not exist. */
export async function migrationStatus(url: string, directory = prismaDirectory): Promise<MigrationStatus> {
  const migrations = await readMigrations(directory);
  try {
    return await withClient(url, (client) => readMigrationStatus(client, migrations));
  } catch (error) {
    if (sqlState(error) === "3D000") return compareMigrations(migrations, []);
    throw toUnavailableError(error);
  }
}

/** Reads how the database of the URL stores and compares text. @throws {DatabaseUnavailableError} */
export async function textFacts(url: string): Promise<TextFacts> {
  try {
    return await withClient(url, readTextFacts);
  } catch (error) {
    throw toUnavailableError(error);
  }
}

type Work = MigrateOptions & { readonly migrations: MigrationFile[] };

const retryEveryMs = 500;
const retryForMs = 600_000;

/** Retries while a lock is not available. Nothing waits for the migration between two attempts. */
async function applyWithRetry(url: string, client: pg.Client, work: Work): Promise<void> {
  const { onProgress = () => {} } = work;
  const deadline = performance.now() + (work.retryForMs ?? retryForMs);
  for (let isReported = false; ; isReported = true) {
    const failure = await applyPending(url, client, work);
    if (failure === null) return;
    if (performance.now() > deadline) throw failure;
    if (!isReported) onProgress("waiting: a table that a migration changes is in use");
    await wait(retryEveryMs);
  }
}

/** Applies the pending migrations. Returns the error if a lock was not available; that migration is then undone. */
async function applyPending(url: string, client: pg.Client, work: Work): Promise<MigrationError | null> {
  const { migrations, directory = prismaDirectory } = work;
  const input = {
    migrationsList: asMigrationList(migrations, directory),
    filters: { externalTables: [], externalEnums: [] },
  };
  // Loaded only when there is something to apply.
  const { withSchemaEngine } = await import("./schema-engine.ts");
  try {
    await withSchemaEngine(url, (engine) => engine.applyMigrations(input));
    return null;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || toUnavailableError(error) !== error) throw error;
    const { failed } = await readMigrationStatus(client, migrations);
    const failure = new MigrationError(`migration ${failed.join(", ")} failed: ${error.message}`, { cause: error });
    if (!isLockFailure(error)) throw failure;
    await undoFailedMigration(client);
    return failure;
  }
}

/** Returns whether a lock timed out or a deadlock occurred: PostgreSQL has rolled back and a retry may succeed. */
const isLockFailure = (error: unknown): boolean => ["55P03", "40P01"].includes(sqlState(error) ?? "");

/** Marks the migration as rolled back and drops the invalid index of an interrupted concurrent build or removal. */
async function undoFailedMigration(client: pg.Client): Promise<void> {
  await client.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(c.relname) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** Returns whether the server has the database of the URL. @throws {DatabaseUnavailableError} */
export async function databaseExists(url: string): Promise<boolean> {
  try {
    await withClient(url, async () => {});
    return true;
  } catch (error) {
    if (sqlState(error) === "3D000") return false;
    throw toUnavailableError(error);
  }
}

/** Creates the database of the URL if it does not exist. */
export async function createDatabaseIfMissing(url: string, onProgress: (message: string) => void): Promise<void> {
  if (await databaseExists(url)) return;
  const name = databaseNameOf(url);
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  onProgress(`creating the database ${name}`);
  await withClient(maintenance.href, (client) => createDatabase(client, name));
}

/** Returns the name of the database in a URL. */
export const databaseNameOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  await requireVersion(client);
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} ${await textByCodePoint(client)}`);
  } catch (error) {
    // Another process has created it: 42P04, or 23505 if both did at the same moment.
    if (sqlState(error) !== "42P04" && sqlState(error) !== "23505") throw error;
  }
}

/**
 * Text in UTF-8, ordered by code point as in the embedded PostgreSQL: the indexes of text then outlive an update of the machine's
 * locales. Before version 17 PostgreSQL itself has no locale that also knows capitals, so they stay those of the server.
 */
async function textByCodePoint(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ hasBuiltin: boolean }>(
    `SELECT current_setting('server_version_num')::int >= 170000 AS "hasBuiltin"`,
  );
  const order = "TEMPLATE template0 ENCODING 'UTF8'";
  return rows[0]?.hasBuiltin === true
    ? `${order} LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'`
    : `${order} LOCALE_PROVIDER libc LC_COLLATE 'C'`;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    application_name: "kb-migrate",
    keepAlive: true,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
