import * as admin from "@kb/core/admin";
import { isUuid } from "@kb/db";
import { type Command, InvalidArgumentError } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";
import { mailServiceOfCommand } from "../mail-service.ts";

type ListOptions = { status?: (typeof admin.mailStates)[number]; limit: number };

/** `kb mail list|retry|test` */
export function addMailCommands(program: Command, leaf: AddLeaf): void {
  const mail = program.command("mail").description("show the mails of the service, and send failed ones again");
  addList(mail, leaf);
  addRetry(mail, leaf);
  addTest(mail, leaf);
}

function addList(mail: Command, leaf: AddLeaf): void {
  const list = mail
    .command("list")
    .description("list the latest mails without their text")
    .option("--status <status>", `only ${admin.mailStates.join(", ")}`, stateOf)
    .option("--limit <number>", "the most mails to list, at most 1000", limitOf, 50);
  leaf(list, async ({ settings, output }, { status, limit }: ListOptions) => {
    const mails = await withService(settings, noProgress, ({ service }) =>
      admin.listMails(service, { status, most: limit }),
    );
    const lines = mails.length === 0 ? ["No mails."] : mails.flatMap(linesOf);
    output.answer({ mails: mails.map(shownAs) }, lines);
  });
}

function addRetry(mail: Command, leaf: AddLeaf): void {
  const retry = mail
    .command("retry")
    .description("send failed mails again whose links are still valid")
    .option("--id <id>", "only this mail", idOf);
  leaf(retry, async ({ settings, output }, { id }: { id?: string }) => {
    const queued = await withService(settings, noProgress, ({ service }) => admin.retryMails(service, id));
    output.answer({ queued }, [`${queued} queued again.`]);
  });
}

function addTest(mail: Command, leaf: AddLeaf): void {
  const test = mail
    .command("test")
    .description("queue a mail that proves the connection to the mail server; the running service sends it")
    .requiredOption("--to <email>", "address to send it to")
    .option("--team <team>", "name or id of the team that the mail names, if there are several");
  leaf(test, async ({ settings, output }, options: { to: string; team?: string }) => {
    const mail = mailServiceOfCommand(settings);
    const id = await withService(settings, noProgress, ({ service }) =>
      admin.queueTestMail({ ...service, mail }, options),
    );
    output.answer({ id }, [`Queued ${id}. \`kb mail list\` shows whether it was sent.`]);
  });
}

function linesOf({ id, status, recipient, kind, team, attempts, failure, createdAt }: admin.MailSummary): string[] {
  const line = `${createdAt.toISOString()}  ${status.padEnd(7)}  ${kind.padEnd(14)}  ${recipient}  (${team}, ${id})`;
  return failure === null ? [line] : [line, `  after ${attempts} attempts: ${failure}`];
}

const shownAs = ({ createdAt, nextAttemptAt, ...mail }: admin.MailSummary) => ({
  ...mail,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
});

function stateOf(given: string): (typeof admin.mailStates)[number] {
  const state = admin.mailStates.find((known) => known === given);
  if (state === undefined) throw new InvalidArgumentError(`Use ${admin.mailStates.join(", ")}.`);
  return state;
}

function limitOf(given: string): number {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) throw new InvalidArgumentError("Use 1 to 1000.");
  return limit;
}

function idOf(given: string): string {
  if (!isUuid(given)) throw new InvalidArgumentError("Use an id that `kb mail list` shows.");
  return given;
}
