import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { sqlState, translated } from "./errors.ts";
import {
  asMigrationList,
  concurrentIndexOf,
  type MigrationFile,
  prismaDirectory,
  readMigrations,
} from "./migration-files.ts";
import { compare, MigrationError, type MigrationStatus, refuseUnsound, statusOf } from "./migration-status.ts";
import { withSchemaEngine } from "./schema-engine.ts";
import { takeLock } from "./session-lock.ts";

/** How migrations are applied. */
export type MigrateOptions = {
  /** Told what happens, for a progress line. */
  onProgress?: (message: string) => void;
  directory?: string;
  /** The names of those that are wanted; all, unless given. */
  only?: ReadonlySet<string>;
  /** A migration that does not get a lock is tried again for so long. Default ten minutes. */
  retryForMs?: number;
};

// Any number that nobody else uses for an advisory lock.
const lockKey = "5462017331";
const lockWaitMs = 120_000;

/**
 * Brings a database to the newest schema: creates it where it is missing, applies what is pending, each migration in a
 * transaction of its own. Two starters at once: the second waits, and finds nothing left to do. A migration waits a second
 * at most for a lock, as whoever comes after it waits too; then it steps back, and tries again.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { onProgress = () => {}, directory = prismaDirectory, only } = options;
  try {
    await createDatabaseIfMissing(url, onProgress);
    return await withClient(url, async (client) => {
      await takeTurn(client, { onWait: () => onProgress("waiting: another process migrates") });
      await client.query(`SET lock_timeout = ${lockWaitMs}`);
      const migrations = (await readMigrations(directory)).filter(({ name }) => only?.has(name) ?? true);
      await clearUnfinished(client, migrations);
      const status = await statusOf(client, migrations);
      refuseUnsound(status);
      if (status.pending.length === 0) return { applied: [] };
      onProgress(`applying ${status.pending.length} migration${status.pending.length === 1 ? "" : "s"}`);
      await applyUntilLocked(url, client, { ...options, migrations });
      return { applied: status.pending };
    });
  } catch (error) {
    throw translated(error);
  }
}

/** No migration runs until the transaction of the connection ends. */
export const lockMigrations = (client: pg.ClientBase): Promise<void> => takeTurn(client, { until: "transaction" });

/** Waits until no other process migrates. */
async function takeTurn(client: pg.ClientBase, how: Parameters<typeof takeLock>[2]): Promise<void> {
  if (await takeLock(client, lockKey, { ...how, forMs: lockWaitMs })) return;
  throw new MigrationError("another process has been migrating for two minutes");
}

/**
 * Clears away indexes that were being built concurrently when their builder was killed: alone among migrations they leave
 * something behind. Their migrations are pending again.
 */
async function clearUnfinished(client: pg.Client, migrations: readonly MigrationFile[]): Promise<void> {
  const { failed } = await statusOf(client, [...migrations]);
  for (const { name, sql } of migrations) {
    const index = concurrentIndexOf(sql);
    if (index === null || !failed.includes(name)) continue;
    // Where PostgreSQL is still at it, this waits until it is done.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${client.escapeIdentifier(index)}`);
    await client.query(
      "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND finished_at IS NULL",
      [name],
    );
  }
}

/** What of the folder a database has; everything is pending where the database does not exist yet. */
export async function migrationStatus(url: string, directory = prismaDirectory): Promise<MigrationStatus> {
  const migrations = await readMigrations(directory);
  try {
    return await withClient(url, (client) => statusOf(client, migrations));
  } catch (error) {
    if (sqlState(error) === "3D000") return compare(migrations, []);
    throw translated(error);
  }
}

type Work = MigrateOptions & { readonly migrations: MigrationFile[] };

const retryEveryMs = 500;
const retryForMs = 600_000;

/** Again and again while somebody holds a lock that a migration needs; between the tries nobody waits for it. */
async function applyUntilLocked(url: string, client: pg.Client, work: Work): Promise<void> {
  const { onProgress = () => {} } = work;
  const deadline = performance.now() + (work.retryForMs ?? retryForMs);
  for (let told = false; ; told = true) {
    const inUse = await apply(url, client, work);
    if (inUse === null) return;
    if (performance.now() > deadline) throw inUse;
    if (!told) onProgress("waiting: a table that a migration changes is in use");
    await wait(retryEveryMs);
  }
}

/** Applies what is pending. Gives the error where a lock was not to be had; then nothing of that migration is left. */
async function apply(url: string, client: pg.Client, work: Work): Promise<MigrationError | null> {
  const { migrations, directory = prismaDirectory } = work;
  const input = {
    migrationsList: asMigrationList(migrations, directory),
    filters: { externalTables: [], externalEnums: [] },
  };
  try {
    await withSchemaEngine(url, (engine) => engine.applyMigrations(input));
    return null;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || translated(error) !== error) throw error;
    const { failed } = await statusOf(client, migrations);
    const failure = new MigrationError(`migration ${failed.join(", ")} failed: ${error.message}`, { cause: error });
    if (!isAboutLocks(error)) throw failure;
    await stepBack(client);
    return failure;
  }
}

/** No lock within the time, or a deadlock: PostgreSQL has rolled back, and the next try may succeed. */
const isAboutLocks = (error: unknown): boolean => ["55P03", "40P01"].includes(sqlState(error) ?? "");

/** The account says as much; an index that was to be built beside the writers, and was not, has to go. */
async function stepBack(client: pg.Client): Promise<void> {
  await client.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(c.relname) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** Creates the database that the URL names, where the server has none of the name. */
export async function createDatabaseIfMissing(url: string, onProgress: (message: string) => void): Promise<void> {
  try {
    await withClient(url, async () => {});
  } catch (error) {
    if (sqlState(error) !== "3D000") throw error;
    const name = decodeURIComponent(new URL(url).pathname.slice(1));
    const maintenance = new URL(url);
    maintenance.pathname = "/postgres";
    onProgress(`creating the database ${name}`);
    await withClient(maintenance.href, (client) => createDatabase(client, name));
  }
}

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Another starter created it meanwhile: 42P04, or 23505 when both were at it at the same moment.
    if (sqlState(error) !== "42P04" && sqlState(error) !== "23505") throw error;
  }
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
