import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { admin, invoke, operations } from "@kb/core";
import type { Command } from "commander";
import { type Access, withService } from "../access.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import { showProgress } from "../import/progress.ts";
import { resultLines } from "../import/result.ts";
import { importPages } from "../import/run.ts";
import { type Scan, scanFolder } from "../import/scan.ts";
import { countPages, pagesOf } from "../import/tree.ts";
import type { AddLeaf } from "../leaf.ts";

type ImportOptions = { collection: string; draft?: boolean; update?: boolean; user?: string; team?: string };

const help = `
A folder becomes the parent of what it holds: its page is the file beside it with its name, else its index or README,
else an empty one. The title is the front matter's, else the first heading 1, else the file's name; tags and emoji come
from the front matter, which leaves the text; "draft: true" there keeps a document a draft. Links between the files lead
to their documents. A document with the same title at the same place is known again: run twice, nothing is there twice.`;

/** `kb import` */
export function addImportCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("import")
    .argument("<folder>", "a folder of Markdown files")
    .description("import a folder of Markdown files into a collection")
    .requiredOption("--collection <collection>", "its name or id; made where there is none of the name")
    .option(
      "--update",
      "bring documents that are there already up to date with their files (default: leave them alone)",
    )
    .option("--draft", "leave the new documents as drafts (default: publish them)")
    .option("--user <email>", "in whose name (default: the team's first admin)")
    .option("--team <team>", "the team's name or id, where there are several")
    .addHelpText("after", help);
  leaf(command, async (context, folder: string, options: ImportOptions) => {
    const scan = await scanOf(resolve(folder));
    await withService(context.settings, context.output.progress, (access) =>
      importFolder(context, access, scan, options),
    );
  });
}

async function scanOf(folder: string): Promise<Scan> {
  const found = await stat(folder).catch(() => null);
  if (found === null || !found.isDirectory()) throw new CommandError("usage", `${folder} is not a folder.`);
  return scanFolder(folder);
}

async function importFolder(
  { output, signal }: Context,
  { service }: Access,
  scan: Scan,
  options: ImportOptions,
): Promise<void> {
  const startedAt = performance.now();
  const actor = await actorOf(service, options);
  const collection = await collectionOf(service, actor, options.collection);
  const pages = pagesOf(scan.files);
  const progress = showProgress(process.stderr, "Importing", countPages(pages));
  const publish = options.draft !== true;
  const update = options.update === true;
  try {
    const job = { service, actor, collectionId: collection.id, publish, update, signal, onPage: progress.step };
    const result = await importPages(pages, job);
    result.skipped.unshift(...scan.skipped);
    progress.end();
    const seconds = (performance.now() - startedAt) / 1000;
    const object = { collection, files: scan.files.length, ...result, others: scan.others, seconds: round(seconds) };
    output.answer(object, resultLines(result, scan.others, collection.name, seconds));
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw error;
    const way = "Run the same command again to go on: what is there already is not imported twice.";
    throw new CommandError("interrupted", `The import was interrupted. ${way}`, { cause: error });
  }
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

type Service = Access["service"];
type Actor = Awaited<ReturnType<typeof admin.systemActor>>;

async function actorOf(service: Service, options: ImportOptions): Promise<Actor> {
  if (options.user === undefined) return admin.systemActor(service, (await admin.findTeam(service, options.team)).id);
  const { teamId, id } = await admin.findUser(service, options.user);
  return admin.systemActor(service, teamId, id);
}

async function collectionOf(service: Service, actor: Actor, given: string): Promise<{ id: string; name: string }> {
  const found = await admin.findCollectionOrNull(service, actor.teamId, given);
  if (found !== null) return found;
  const { id, name } = await invoke(service, operations.createCollection, actor, { name: given.trim() });
  return { id, name };
}
