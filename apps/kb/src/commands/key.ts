import { readFile } from "node:fs/promises";
import * as admin from "@kb/core/admin";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";

type CreateOptions = { user: string; scopes: string; name?: string; restrict?: string; expires?: string };

type ListOptions = { user?: string; revoked?: boolean; team?: string };

/** `kb key create|list|revoke` */
export function addKeyCommands(program: Command, leaf: AddLeaf): void {
  const key = program.command("key").description("manage API keys");
  addCreate(key, leaf);
  addList(key, leaf);
  addRevoke(key, leaf);
}

function addList(key: Command, leaf: AddLeaf): void {
  const list = key
    .command("list")
    .description("list API keys without the keys themselves, newest first")
    .option("--user <email>", "only the keys of this user")
    .option("--revoked", "revoked ones too")
    .option("--team <team>", "name or id of the team, if there are several");
  leaf(list, async ({ settings, output }, { user: userEmail, revoked, team }: ListOptions) => {
    const keys = await withService(settings, noProgress, ({ service }) =>
      admin.listApiKeys(service, { userEmail, team, revoked: revoked === true }),
    );
    const lines = keys.map((found) => {
      const facts = [
        found.scopes.join(","),
        ...(found.restricted ? ["restricted"] : []),
        found.lastUsedAt === null ? "never used" : `last used ${found.lastUsedAt}`,
        ...(found.expiresAt === null ? [] : [`expires ${found.expiresAt}`]),
        ...(found.revokedAt === null ? [] : [`revoked ${found.revokedAt}`]),
      ];
      return `${found.id}  ${found.prefix}…${found.suffix}  ${found.name} of ${found.owner.name} (${facts.join("; ")})`;
    });
    output.answer({ keys }, lines.length === 0 ? ["No API keys."] : lines);
  });
}

function addRevoke(key: Command, leaf: AddLeaf): void {
  const revoke = key
    .command("revoke")
    .description("revoke an API key; it stops working at once")
    .requiredOption("--id <id>", "id of the key, as `kb key list` shows it")
    .option("--team <team>", "name or id of the team, if there are several");
  leaf(revoke, async ({ settings, output }, options: { id: string; team?: string }) => {
    const revoked = await withService(settings, noProgress, ({ service }) => admin.revokeApiKey(service, options));
    output.answer(revoked, [`The key "${revoked.name}" is revoked.`]);
  });
}

function addCreate(key: Command, leaf: AddLeaf): void {
  const create = key
    .command("create")
    .description("create an API key and print it once")
    .requiredOption("--user <email>", "owner of the key, whose permissions limit it")
    .requiredOption("--scopes <scopes>", "read, write, admin, separated by commas")
    .option("--name <name>", "purpose of the key")
    .option(
      "--restrict <file>",
      'restrict the key by a JSON file {"collections":{ID or NAME: LEVEL},"documents":{ID: LEVEL}}; LEVEL is none, read or write',
    )
    .option("--expires <time>", "expiry, such as 2030-01-31 or 2030-01-31T12:00:00Z");
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const input = {
      userEmail: options.user,
      scopes: options.scopes.split(",").map((scope) => scope.trim()),
      name: options.name,
      expiresAt: options.expires === undefined ? undefined : parseTime(options.expires),
      restrictions: options.restrict === undefined ? undefined : await readJson(options.restrict),
    };
    const created = await withService(settings, noProgress, ({ service }) => admin.createApiKey(service, input));
    const restricted = created.restricted ? ", restricted" : "";
    output.answer(created, [`API key (${created.scopes.join(", ")}${restricted}), shown only once:`, created.key]);
  });
}

const timeForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function parseTime(text: string): Date {
  const at = new Date(text);
  if (timeForm.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new CommandError("usage", "--expires must be a date, or a time with its zone, such as 2030-01-31T12:00:00Z.");
}

async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new CommandError("usage", `--restrict: cannot read ${path}.`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError("usage", `--restrict: ${path} is not JSON.`, { cause: error });
  }
}
