import { asMigrationList, prismaDirectory, readMigrations, readSchema } from "./migration-files.ts";
import { withSchemaEngine } from "./schema-engine.ts";

/**
 * The SQL that leads from what the migrations build to what schema.prisma says; empty when they agree. Builds the
 * migrations in a throw-away database beside `url`, whose user has to be allowed to create one.
 */
export async function schemaDrift(url: string, directory = prismaDirectory): Promise<string> {
  const migrations = await readMigrations(directory).catch(noneYet);
  const schema = await readSchema(directory);
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

function noneYet(error: unknown): never[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}
