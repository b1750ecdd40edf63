import type { Command } from "commander";
import { applyMigrations, requireDatabase, withDatabaseUrl } from "../access.ts";
import type { AddLeaf } from "../leaf.ts";

/** `kb migrate` */
export function addMigrateCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("migrate")
    .description("update the database to the schema of this version")
    .option("--create", "create the database of DATABASE_URL if it does not exist");
  leaf(command, async ({ settings, output }, { create }: { create?: true }) => {
    const applied = await withDatabaseUrl(settings, output.progress, async (url, owned) => {
      if (!owned && create === undefined) await requireDatabase(url);
      return applyMigrations(url, output.progress);
    });
    const lines = applied.length === 0 ? ["The database is up to date."] : applied.map((name) => `applied ${name}`);
    output.answer({ applied }, lines);
  });
}
