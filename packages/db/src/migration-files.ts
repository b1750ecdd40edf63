import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MigrationList, SchemasContainer } from "@prisma/schema-engine-wasm/schema_engine_bg";

/** The folder of the schema and its migrations, in Prisma's format. */
export const prismaDirectory = fileURLToPath(new URL("../../../prisma", import.meta.url));

/** A migration in the folder. */
export type MigrationFile = { name: string; sql: string; checksum: string };

const lockFile = `# Prisma's own marker of the provider; kept in version control.
provider = "postgresql"
`;

/** Reads the migrations of a folder in their order. */
export async function readMigrations(directory = prismaDirectory): Promise<MigrationFile[]> {
  const entries = await readdir(join(directory, "migrations"), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, "migrations", name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Returns the index that a migration builds or drops concurrently as its only statement, if it can be applied again once the index
 * is gone; null for any other migration.
 */
export function concurrentIndexOf(sql: string): string | null {
  const statement = sql.replaceAll(/--.*$/gm, "").trim();
  const built = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"?(\w+)"? ON [^;]*;?$/i.exec(statement);
  const dropped = /^DROP INDEX CONCURRENTLY IF EXISTS "?(\w+)"?;?$/i.exec(statement);
  return built?.[1] ?? dropped?.[1] ?? null;
}

/** Converts migrations to the engine's format. */
export function asMigrationList(migrations: MigrationFile[], directory = prismaDirectory): MigrationList {
  return {
    baseDir: join(directory, "migrations"),
    lockfile: { path: "migration_lock.toml", content: lockFile },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
    })),
  };
}

/** Reads the schema in the engine's format. */
export async function readSchema(directory = prismaDirectory): Promise<SchemasContainer> {
  const path = join(directory, "schema.prisma");
  return { files: [{ path, content: await readFile(path, "utf8") }] };
}

/** Writes a new migration; returns the name of its folder: the UTC second, then the given name. */
export async function writeMigration(
  name: string,
  sql: string,
  directory = prismaDirectory,
  now = new Date(),
): Promise<string> {
  const second = now.toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = `${second}_${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")}`;
  await mkdir(join(directory, "migrations", folder), { recursive: true });
  await writeFile(join(directory, "migrations", folder, "migration.sql"), sql);
  await writeFile(join(directory, "migrations", "migration_lock.toml"), lockFile);
  return folder;
}
