import { makePassword } from "@kb/auth";
import * as admin from "@kb/core/admin";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";
import { mailServiceOfCommand } from "../mail-service.ts";

type CreateOptions = { email: string; name: string; group: string; password?: string; team?: string };
type PasswordOptions = { email: string; password?: string };

type ListOptions = { team?: string; group?: string; suspended?: boolean };
type InviteOptions = { email: string[]; group?: string; language?: string; team?: string };

/** `kb user create|invite|list|suspend|unsuspend|password|log-in-link|reset-second-factor` */
export function addUserCommands(program: Command, leaf: AddLeaf): void {
  const user = program.command("user").description("manage users");
  addCreate(user, leaf);
  addInvite(user, leaf);
  addList(user, leaf);
  addSuspend(user, leaf);
  addUnsuspend(user, leaf);
  addPassword(user, leaf);
  addLogInLink(user, leaf);
  addResetSecondFactor(user, leaf);
}

function addResetSecondFactor(user: Command, leaf: AddLeaf): void {
  const reset = user
    .command("reset-second-factor")
    .description("remove the second factor of a user who lost it; sessions end, and the password stays")
    .requiredOption("--email <email>", "e-mail address of the user");
  leaf(reset, async ({ settings, output }, { email: given }: { email: string }) => {
    const done = await withService(settings, noProgress, ({ service }) => admin.resetSecondFactor(service, given));
    const { email, removed } = done;
    output.answer(done, [
      removed ? `${email} logs in without a code. Sessions have ended.` : `${email} has no second factor.`,
    ]);
  });
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

function addInvite(user: Command, leaf: AddLeaf): void {
  const invite = user
    .command("invite")
    .description("invite people by links for 7 days, which are mailed, or printed without a mail server")
    .requiredOption("--email <emails...>", "e-mail addresses, at most 100")
    .option("--group <group>", "Admins, Editors, Members, Viewers, or a custom group (default: Members)")
    .option("--language <language>", "language of the mails: en or ar (default: en)")
    .option("--team <team>", "name or id of the team, if there are several");
  leaf(invite, async ({ settings, output }, { email: emails, ...options }: InviteOptions) => {
    const mail = mailServiceOfCommand(settings);
    const invited = await withService(settings, noProgress, ({ service }) =>
      admin.inviteUsers({ ...service, mail }, { emails, ...options }),
    );
    const lines = invited.invitations.map(({ email, link }) => `${email}: ${link ?? "a link is on its way"}`);
    output.answer(invited, [...lines, ...invited.members.map((email) => `${email}: is in the team already`)]);
  });
}

function addList(user: Command, leaf: AddLeaf): void {
  const list = user
    .command("list")
    .description("list the users of a team by name")
    .option("--group <group>", "only the members of this group")
    .option("--suspended", "only suspended users")
    .option("--team <team>", "name or id of the team, if there are several");
  leaf(list, async ({ settings, output }, { suspended, ...options }: ListOptions) => {
    const users = await withService(settings, noProgress, ({ service }) =>
      admin.listUsers(service, { ...options, suspended: suspended === true ? true : undefined }),
    );
    const lines = users.map(({ name, email, groups, suspendedAt }) => {
      const state = suspendedAt === null ? "" : `, suspended ${suspendedAt}`;
      return `${name} <${email}> (${groups.map((group) => group.name).join(", ") || "no group"}${state})`;
    });
    output.answer({ users }, lines.length === 0 ? ["No users."] : lines);
  });
}

function addUnsuspend(user: Command, leaf: AddLeaf): void {
  const unsuspend = user
    .command("unsuspend")
    .description("reactivate a suspended user, with their keys")
    .requiredOption("--email <email>", "e-mail address of the user");
  leaf(unsuspend, async ({ settings, output }, { email }: { email: string }) => {
    const user = await withService(settings, noProgress, ({ service }) => admin.unsuspendUser(service, email));
    output.answer(user, [`${user.email} can log in again.`]);
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
    const off = "Passwords are switched off: it works once PASSWORD_LOGIN is not false any more.";
    const note = settings.passwordLogIn ? [] : [off];
    output.answer({ id, email, ...shown }, [`The password of ${email} is set.`, ...lines, ...note]);
  });
}

function addLogInLink(user: Command, leaf: AddLeaf): void {
  const link = user
    .command("log-in-link")
    .description("print a link that logs a user in once, within 15 minutes, also while the single sign-on is down")
    .requiredOption("--email <email>", "e-mail address of the user");
  leaf(link, async ({ settings, output }, { email }: { email: string }) => {
    const made = await withService(settings, noProgress, ({ service }) => admin.createLogInLink(service, email));
    output.answer(made, [`Whoever opens this link is logged in as ${made.email}, once, within 15 minutes:`, made.link]);
  });
}
