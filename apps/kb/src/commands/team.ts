import { admin } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { silently } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

type CreateOptions = { name: string; adminEmail: string; adminName?: string; adminPassword?: string };

/** `kb team create` */
export function addTeamCommands(program: Command, leaf: AddLeaf): void {
  const create = program
    .command("team")
    .description("teams of this installation")
    .command("create")
    .description("create a team with its four groups and its first admin")
    .requiredOption("--name <name>", "the team's name")
    .requiredOption("--admin-email <email>", "the admin's e-mail address")
    .option("--admin-name <name>", "the admin's name (default: from the e-mail address)")
    .option("--admin-password <password>", "without one the admin cannot log in until `kb user password`");
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const team = await withService(settings, silently, ({ service }) => admin.createTeam(service, options));
    output.answer(team, [`Team "${team.name}" (${team.id}) with the admin ${team.adminEmail}.`]);
  });
}
