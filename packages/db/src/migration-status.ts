import type pg from "pg";
import type { MigrationFile } from "./migration-files.ts";

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

/** Migrations that cannot go on by themselves; the message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** A migration as a database has it. */
export type AppliedMigration = Pick<MigrationFile, "name" | "checksum">;

type AppliedRow = { migration_name: string; checksum: string; finished_at: Date | null };

/** What of the migrations the database of a connection has. */
export async function statusOf(client: pg.ClientBase, migrations: MigrationFile[]): Promise<MigrationStatus> {
  return compare(migrations, await accountOf(client));
}

/** What was applied, in its order: the form that the tables have. */
export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const rows = await accountOf(client);
  return rows.map(({ migration_name: name, checksum }) => ({ name, checksum }));
}

async function accountOf(client: pg.ClientBase): Promise<AppliedRow[]> {
  const present = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (present.rows[0]?.present !== true) return [];
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL
     ORDER BY migration_name`,
  );
  return rows;
}

/** The migrations of a folder beside the rows of an account. */
export function compare(migrations: MigrationFile[], rows: AppliedRow[]): MigrationStatus {
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

/** @throws {MigrationError} where somebody has to look before anything goes on. */
export function refuseUnsound({ failed, edited, unknown }: MigrationStatus): void {
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
