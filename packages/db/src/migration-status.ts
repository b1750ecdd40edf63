import type pg from "pg";
import type { MigrationFile } from "./migration-files.ts";

/** The migrations of the folder compared with those of a database. */
export type MigrationStatus = {
  applied: string[];
  pending: string[];
  /** Started but not finished; needs manual repair. */
  failed: string[];
  /** Applied with a text that differs from the folder's. */
  edited: string[];
  /** Applied but not in the folder: the database is newer than this program. */
  unknown: string[];
};

/** Migrations that need manual repair; the message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** A migration that a database has applied. */
export type AppliedMigration = Pick<MigrationFile, "name" | "checksum">;

type AppliedRow = { migration_name: string; checksum: string; finished_at: Date | null };

/** Compares the migrations with the database of a connection. */
export async function readMigrationStatus(
  client: pg.ClientBase,
  migrations: MigrationFile[],
): Promise<MigrationStatus> {
  return compareMigrations(migrations, await readMigrationRows(client));
}

/** Reads the applied migrations in their order. */
export async function readAppliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const rows = await readMigrationRows(client);
  return rows.map(({ migration_name: name, checksum }) => ({ name, checksum }));
}

async function readMigrationRows(client: pg.ClientBase): Promise<AppliedRow[]> {
  const present = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (present.rows[0]?.present !== true) return [];
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL
     ORDER BY migration_name`,
  );
  return rows;
}

/** Compares the migrations of a folder with rows of `_prisma_migrations`. */
export function compareMigrations(migrations: MigrationFile[], rows: AppliedRow[]): MigrationStatus {
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

/** @throws {MigrationError} if the database needs manual repair */
export function requireSoundMigrations({ failed, edited, unknown }: MigrationStatus): void {
  if (failed.length > 0) {
    throw new MigrationError(
      `migration ${failed.join(", ")} failed earlier; repair the database by hand, then try again`,
    );
  }
  if (edited.length > 0) {
    throw new MigrationError(`migration ${edited.join(", ")} was applied with a text that differs from this version's`);
  }
  if (unknown.length > 0) {
    throw new MigrationError(`the database is newer than this program: it has migration ${unknown.join(", ")}`);
  }
}
