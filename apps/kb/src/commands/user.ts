import { makePassword } from "@kb/auth";
import { admin } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { silently } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

type CreateOptions = { email: string; name: string; group: string; password?: string; team?: string };
type PasswordOptions = { email: string; password?: string };

/** `kb user create|suspend|password` */
export function addUserCommands(program: Command, leaf: AddLeaf): void {
  const user = program.command("user").description("people and what they may do");
  addCreate(user, leaf);
  addSuspend(user, leaf);
  addPassword(user, leaf);
}

function addCreate(user: Command, leaf: AddLeaf): void {
  const create = user
    .command("create")
    .description("create a user in a group of a team")
    .requiredOption("--email <email>", "the e-mail address, one account each")
    .requiredOption("--name <name>", "the person's name")
    .requiredOption("--group <group>", "Admins, Editors, Members, Viewers, or a group of the team's own")
    .option("--password <password>", "without one the person cannot log in until `kb user password`")
    .option("--team <team>", "the team's name or id, where there are several");
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const created = await withService(settings, silently, ({ service }) => admin.createUser(service, options));
    output.answer(created, [`${created.name} <${created.email}> (${created.id}) is in ${created.group}.`]);
  });
}

function addSuspend(user: Command, leaf: AddLeaf): void {
  const suspend = user
    .command("suspend")
    .description("suspend a user: their keys, log-ins and connected apps stop at once")
    .requiredOption("--email <email>", "whom");
  leaf(suspend, async ({ settings, output }, { email }: { email: string }) => {
    const user = await withService(settings, silently, ({ service }) => admin.suspendUser(service, email));
    output.answer(user, [`${user.email} is suspended.`]);
  });
}

function addPassword(user: Command, leaf: AddLeaf): void {
  const password = user
    .command("password")
    .description("set a user's password; their log-ins and connected apps end")
    .requiredOption("--email <email>", "whose")
    .option("--password <password>", "the new one (default: made up and printed)");
  leaf(password, async ({ settings, output }, options: PasswordOptions) => {
    const chosen = options.password ?? makePassword();
    const { id, email } = await withService(settings, silently, ({ service }) =>
      admin.setPassword(service, options.email, chosen),
    );
    const shown = options.password === undefined ? { password: chosen } : {};
    const lines = options.password === undefined ? [`New password: ${chosen}`] : [];
    output.answer({ id, email, ...shown }, [`The password of ${email} is set.`, ...lines]);
  });
}
