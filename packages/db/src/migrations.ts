import pg from "pg";
import { sqlState, translated } from "./errors.ts";
import { asMigrationList, type MigrationFile, prismaDirectory, readMigrations } from "./migration-files.ts";
import { withSchemaEngine } from "./schema-engine.ts";

/** The migrations of the folder against those of a database. */
export type MigrationStatus = {
  applied: string[];
  pending: string[];
  /** Started and not finished: somebody has to look. */
  failed: string[];
  /** Applied here with another text than the folder has. */
  edited: string[];
  /** Applied here and unknown to the folder: the database is newer than this program. */
  unknown: string[];
};

/** Told what happens, for a progress line. */
export type MigrateOptions = { onProgress?: (message: string) => void; directory?: string };

/** Migrations that cannot go on by themselves; the message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

// Any number that nobody else uses for an advisory lock.
const lockKey = 5_462_017_331;
const lockWaitMs = 120_000;

/**
 * Brings a database to the newest schema: creates it where it is missing, applies what is pending, each migration in a
 * transaction of its own. Two starters at once: the second waits, and finds nothing left to do.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { onProgress = () => {}, directory = prismaDirectory } = options;
  try {
    await createDatabaseIfMissing(url, onProgress);
    return await withClient(url, async (client) => {
      await client.query(`SET lock_timeout = ${lockWaitMs}`);
      await client.query("SELECT pg_advisory_lock($1)", [lockKey]);
      const migrations = await readMigrations(directory);
      const status = await statusOf(client, migrations);
      refuseUnsound(status);
      if (status.pending.length === 0) return { applied: [] };
      onProgress(`applying ${status.pending.length} migration${status.pending.length === 1 ? "" : "s"}`);
      return { applied: await apply(url, client, migrations, directory) };
    });
  } catch (error) {
    throw translated(error);
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

type AppliedRow = { migration_name: string; checksum: string; finished_at: Date | null };

async function statusOf(client: pg.Client, migrations: MigrationFile[]): Promise<MigrationStatus> {
  const present = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (present.rows[0]?.present !== true) return compare(migrations, []);
  const { rows } = await client.query<AppliedRow>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  return compare(migrations, rows);
}

function compare(migrations: MigrationFile[], rows: AppliedRow[]): MigrationStatus {
  const byName = new Map(rows.map((row) => [row.migration_name, row]));
  const folder = new Set(migrations.map(({ name }) => name));
  const finished = (name: string) => byName.get(name)?.finished_at instanceof Date;
  return {
    applied: migrations.map(({ name }) => name).filter(finished),
    pending: migrations.map(({ name }) => name).filter((name) => !byName.has(name)),
    failed: rows.filter((row) => row.finished_at === null).map((row) => row.migration_name),
    edited: migrations
      .filter(({ name, checksum }) => finished(name) && byName.get(name)?.checksum !== checksum)
      .map(({ name }) => name),
    unknown: rows.map((row) => row.migration_name).filter((name) => !folder.has(name)),
  };
}

function refuseUnsound({ failed, edited, unknown }: MigrationStatus): void {
  if (failed.length > 0) {
    throw new MigrationError(
      `migration ${failed.join(", ")} failed half-way before; resolve it by hand, then try again`,
    );
  }
  if (edited.length > 0) {
    throw new MigrationError(`migration ${edited.join(", ")} was applied with another text than this version has`);
  }
  if (unknown.length > 0) {
    throw new MigrationError(`the database is newer than this program: it has migration ${unknown.join(", ")}`);
  }
}

async function apply(
  url: string,
  client: pg.Client,
  migrations: MigrationFile[],
  directory: string,
): Promise<string[]> {
  const input = {
    migrationsList: asMigrationList(migrations, directory),
    filters: { externalTables: [], externalEnums: [] },
  };
  try {
    const output = await withSchemaEngine(url, (engine) => engine.applyMigrations(input));
    return output.appliedMigrationNames;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || translated(error) !== error) throw error;
    const { failed } = await statusOf(client, migrations);
    throw new MigrationError(`migration ${failed.join(", ")} failed: ${error.message}`, { cause: error });
  }
}

async function createDatabaseIfMissing(url: string, onProgress: (message: string) => void): Promise<void> {
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
