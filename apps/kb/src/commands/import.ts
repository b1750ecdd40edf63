import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { admin, invoke, operations } from "@kb/core";
import { withSessionLock } from "@kb/db";
import type { Command } from "commander";
import { type Access, withService } from "../access.ts";
import { type Acting, actorOf } from "../acting.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import { readManifest } from "../import/manifest.ts";
import { showProgress } from "../import/progress.ts";
import { type ImportResult, resultLines } from "../import/result.ts";
import { importPages } from "../import/run.ts";
import { type Scan, scanFolder } from "../import/scan.ts";
import { countPages, pagesOf } from "../import/tree.ts";
import { type Bounds, withUnpacked } from "../import/unpack.ts";
import type { AddLeaf } from "../leaf.ts";

type ImportOptions = Acting & { collection: string; draft?: boolean; update?: boolean; maxUnpacked: number };

const help = `
A folder becomes the parent of what it holds: its page is the file beside it with its name, else its index or README,
else an empty one. The title is the front matter's, else the first heading 1, else the file's name; tags and emoji come
from the front matter, which leaves the text; "draft: true" there keeps a document a draft. Links between the files lead
to their documents, and pictures and other files that they name become attachments. An export comes back as it was,
unpacked or not. A document with the same title at the same place is known again: run twice, nothing is there twice.`;

/** `kb import` */
export function addImportCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("import")
    .argument("<source>", "a folder of Markdown files, or the archive of an export")
    .description("import a folder of Markdown files into a collection")
    .requiredOption("--collection <collection>", "its name or id; made where there is none of the name")
    .option(
      "--update",
      "bring documents that are there already up to date with their files (default: leave them alone)",
    )
    .option("--draft", "leave the new documents as drafts (default: publish them)")
    .option("--max-unpacked <gigabytes>", "what an archive may unpack to", gigabytes, 4)
    .option("--user <email>", "in whose name (default: the team's first admin)")
    .option("--team <team>", "the team's name or id, where there are several")
    .addHelpText("after", help);
  leaf(command, (context, source: string, options: ImportOptions) =>
    withUnpacked(resolve(source), boundsOf(options), context.signal, async (folder, unpacked) => {
      const found = await scanOf(folder);
      const scan = { ...found, skipped: [...unpacked, ...found.skipped] };
      await withService(context.settings, context.output.progress, (access) =>
        importFolder(context, access, { folder, scan }, options),
      );
    }),
  );
}

const maxFiles = 500_000;

const boundsOf = ({ maxUnpacked }: ImportOptions): Bounds => ({ bytes: maxUnpacked * 1024 ** 3, files: maxFiles });

function gigabytes(given: string): number {
  if (/^\d{1,5}(?:\.\d{1,6})?$/.test(given) && Number(given) > 0) return Number(given);
  throw new CommandError("usage", "--max-unpacked takes a number of gigabytes, such as 4 or 0.5.");
}

async function scanOf(folder: string): Promise<Scan> {
  const found = await stat(folder).catch(() => null);
  if (found === null || !found.isDirectory()) throw new CommandError("usage", `${folder} is not a folder.`);
  return scanFolder(folder);
}

type Source = { readonly folder: string; readonly scan: Scan };

/** Imports into one collection take turns, and so does looking for it: two at once would find nothing there and both make it. */
async function importFolder(context: Context, access: Access, source: Source, options: ImportOptions): Promise<void> {
  const { service, databaseUrl: url } = access;
  const { output, signal } = context;
  const startedAt = performance.now();
  const actor = await actorOf(service, options);
  const collection = await withSessionLock({ url, name: `collections ${actor.teamId}`, signal }, () =>
    collectionOf(service, actor, options.collection),
  );
  const onWait = (): void => output.progress("Another import into this collection is running: waiting for its end.");
  const result = await withSessionLock({ url, name: `import ${collection.id}`, onWait, signal }, () =>
    importInto(context, service, { actor, collectionId: collection.id, source, options }),
  ).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    const way = "Run the same command again to go on: what is there already is not imported twice.";
    throw new CommandError("interrupted", `The import was interrupted. ${way}`, { cause: error });
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const object = { collection, files: source.scan.files.length, ...result, seconds: round(seconds) };
  output.answer(object, resultLines(result, collection.name, seconds));
}

type Job = { actor: Actor; collectionId: string; source: Source; options: ImportOptions };

async function importInto({ signal }: Context, service: Service, job: Job): Promise<ImportResult> {
  const { actor, collectionId, source, options } = job;
  const manifest = await readManifest(source.folder);
  const pages = pagesOf(source.scan.files, manifest);
  const progress = showProgress(process.stderr, "Importing", countPages(pages));
  const how = { publish: options.draft !== true, update: options.update === true, signal, onPage: progress.step };
  try {
    const { others, skipped } = source.scan;
    const result = await importPages(pages, { service, actor, collectionId, manifest, others, ...how });
    result.skipped.unshift(...skipped);
    return result;
  } finally {
    progress.end();
  }
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

type Service = Access["service"];
type Actor = Awaited<ReturnType<typeof actorOf>>;

async function collectionOf(service: Service, actor: Actor, given: string): Promise<{ id: string; name: string }> {
  const found = await admin.findCollectionOrNull(service, actor.teamId, given);
  if (found !== null) return found;
  const wanted = given.trim();
  if (wanted === "" || wanted.length > 255) {
    throw new CommandError("usage", "--collection takes an id, or a name of at most 255 characters.");
  }
  const { id, name } = await invoke(service, operations.createCollection, actor, { name: wanted });
  return { id, name };
}
