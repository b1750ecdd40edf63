import { admin } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

type CreateOptions = { name: string; adminEmail: string; adminName?: string; adminPassword?: string };

/** `kb team create` */
export function addTeamCommands(program: Command, leaf: AddLeaf): void {
  const create = program
    .command("team")
    .description("manage teams")
    .command("create")
    .description("create a team with its default groups and first admin")
    .requiredOption("--name <name>", "name of the team")
    .requiredOption("--admin-email <email>", "e-mail address of the admin")
    .option("--admin-name <name>", "name of the admin (default: taken from the e-mail address)")
    .option(
      "--admin-password <password>",
      "password; without it the admin cannot log in until you run `kb user password`",
    );
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const team = await withService(settings, noProgress, ({ service }) => admin.createTeam(service, options));
    output.answer(team, [`Created the team "${team.name}" (${team.id}) with the admin ${team.adminEmail}.`]);
  });
}
