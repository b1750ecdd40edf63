import { makePassword } from "@kb/auth";
import { admin } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

type CreateOptions = { email: string; name: string; group: string; password?: string; team?: string };
type PasswordOptions = { email: string; password?: string };

/** `kb user create|suspend|password` */
export function addUserCommands(program: Command, leaf: AddLeaf): void {
  const user = program.command("user").description("manage users");
  addCreate(user, leaf);
  addSuspend(user, leaf);
  addPassword(user, leaf);
}

function addCreate(user: Command, leaf: AddLeaf): void {
  const create = user
    .command("create")
    .description("create a user in a group of a team")
    .requiredOption("--email <email>", "e-mail address, which is unique")
    .requiredOption("--name <name>", "name of the user")
    .requiredOption("--group <group>", "Admins, Editors, Members, Viewers, or a custom group")
    .option("--password <password>", "password; without it the user cannot log in until you run `kb user password`")
    .option("--team <team>", "name or id of the team, if there are several");
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const created = await withService(settings, noProgress, ({ service }) => admin.createUser(service, options));
    output.answer(created, [`Created ${created.name} <${created.email}> (${created.id}) in ${created.group}.`]);
  });
}

function addSuspend(user: Command, leaf: AddLeaf): void {
  const suspend = user
    .command("suspend")
    .description("suspend a user; keys, sessions and connected apps stop at once")
    .requiredOption("--email <email>", "e-mail address of the user");
  leaf(suspend, async ({ settings, output }, { email }: { email: string }) => {
    const user = await withService(settings, noProgress, ({ service }) => admin.suspendUser(service, email));
    output.answer(user, [`${user.email} is suspended.`]);
  });
}

function addPassword(user: Command, leaf: AddLeaf): void {
  const password = user
    .command("password")
    .description("set the password of a user; sessions and connected apps end")
    .requiredOption("--email <email>", "e-mail address of the user")
    .option("--password <password>", "new password (default: generated and printed)");
  leaf(password, async ({ settings, output }, options: PasswordOptions) => {
    const chosen = options.password ?? makePassword();
    const { id, email } = await withService(settings, noProgress, ({ service }) =>
      admin.setPassword(service, options.email, chosen),
    );
    const shown = options.password === undefined ? { password: chosen } : {};
    const lines = options.password === undefined ? [`New password: ${chosen}`] : [];
    output.answer({ id, email, ...shown }, [`The password of ${email} is set.`, ...lines]);
  });
}
