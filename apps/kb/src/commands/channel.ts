import * as admin from "@kb/core/admin";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import type { AddLeaf } from "../leaf.ts";

type CreateOptions = {
  name: string;
  collection: string[];
  tag: string[];
  markdown?: boolean;
  html?: boolean;
  team?: string;
};

/** `kb channel create` */
export function addChannelCommands(program: Command, leaf: AddLeaf): void {
  const create = program
    .command("channel")
    .description("manage publishing channels")
    .command("create")
    .description("create a channel and print its token, which is shown only once")
    .requiredOption("--name <name>", "name of the channel")
    .option("--collection <collection>", "name or id of a collection to publish (repeatable)", collect, [])
    .option("--tag <tag>", "publish only documents with one of these tags (repeatable)", collect, [])
    .option("--markdown", "include the Markdown of the documents")
    .option("--html", "include the HTML of the documents")
    .option("--team <team>", "name or id of the team, if there are several");
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const { collection, tag, ...rest } = options;
    const input = { ...rest, collections: collection, tags: tag };
    const created = await withService(settings, noProgress, ({ service }) => admin.createChannel(service, input));
    output.answer(created, [`Channel "${created.name}" (${created.id}). Its token, shown only once:`, created.token]);
  });
}

const collect = (value: string, before: string[]): string[] => [...before, value];
