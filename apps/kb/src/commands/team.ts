import * as admin from "@kb/core/admin";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";
import { mailServiceOfCommand } from "../mail-service.ts";

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
      "password; without it the admin gets a link to set one within an hour, by mail or printed",
    );
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const mail = mailServiceOfCommand(settings);
    const hasPassword = options.adminPassword !== undefined;
    const { team, link } = await withService(settings, noProgress, async ({ service }) => {
      const team = await admin.createTeam(service, options);
      if (hasPassword || !settings.passwordLogIn) return { team, link: undefined };
      // The team exists already, so a link that cannot be made is no failure of the command.
      const link = await admin.createPasswordLink({ ...service, mail }, team.adminEmail).catch(() => undefined);
      return { team, link };
    });
    output.answer(link === undefined ? team : { ...team, passwordLink: link }, [
      `Created the team "${team.name}" (${team.id}) with the admin ${team.adminEmail}.`,
      ...(hasPassword
        ? []
        : [
            settings.passwordLogIn
              ? passwordLine(team.adminEmail, link)
              : "They log in by single sign-on with this address.",
          ]),
    ]);
  });
}

function passwordLine(email: string, link: string | null | undefined): string {
  if (link === undefined) return `Set a password with \`kb user password --email ${email}\`.`;
  if (link === null) return "A link to set a password is on its way to them.";
  return `To set a password, within an hour: ${link}`;
}
