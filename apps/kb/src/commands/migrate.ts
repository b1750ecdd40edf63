import type { Command } from "commander";
import { applyMigrations, withDatabaseUrl } from "../access.ts";
import type { AddLeaf } from "../leaf.ts";

/** `kb migrate` */
export function addMigrateCommand(program: Command, leaf: AddLeaf): void {
  const command = program.command("migrate").description("update the database to the schema of this version");
  leaf(command, async ({ settings, output }) => {
    const applied = await withDatabaseUrl(settings, output.progress, (url) => applyMigrations(url, output.progress));
    const lines = applied.length === 0 ? ["The database is up to date."] : applied.map((name) => `applied ${name}`);
    output.answer({ applied }, lines);
  });
}
