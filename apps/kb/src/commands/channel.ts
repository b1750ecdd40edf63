import { admin } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { silently } from "../context.ts";
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
    .description("publishing channels")
    .command("create")
    .description("create a channel and its token; the token is printed once and stored nowhere")
    .requiredOption("--name <name>", "the channel's name")
    .option("--collection <collection>", "a collection that it publishes, by name or id (repeatable)", collect, [])
    .option("--tag <tag>", "only documents with this tag, or another so named (repeatable)", collect, [])
    .option("--markdown", "give the documents' Markdown too")
    .option("--html", "give the documents' HTML too")
    .option("--team <team>", "the team's name or id, where there are several");
  leaf(create, async ({ settings, output }, options: CreateOptions) => {
    const { collection, tag, ...rest } = options;
    const input = { ...rest, collections: collection, tags: tag };
    const created = await withService(settings, silently, ({ service }) => admin.createChannel(service, input));
    output.answer(created, [`Channel "${created.name}" (${created.id}). Its token, shown this once:`, created.token]);
  });
}

const collect = (value: string, before: string[]): string[] => [...before, value];
