import { asMigrationList, prismaDirectory, readMigrations, readSchema } from "./migration-files.ts";

/**
 * Returns the SQL that leads from the migrations to schema.prisma; empty if they agree. Applies the migrations in a
 * temporary database on the server of `url`, whose user needs the right to create one.
 */
export async function schemaDrift(url: string, directory = prismaDirectory): Promise<string> {
  const migrations = await readMigrations(directory).catch(emptyIfMissing);
  const schema = await readSchema(directory);
  const { withSchemaEngine } = await import("./schema-engine.ts");
  const result = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: { tag: "migrations", ...asMigrationList(migrations, directory) },
      to: { tag: "schemaDatamodel", ...schema },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  const script = (result.stdout ?? "").trim();
  return script === "-- This is an empty migration." ? "" : script;
}

function emptyIfMissing(error: unknown): never[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}
