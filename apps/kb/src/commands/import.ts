import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { admin, invoke, isQuotaExceeded, operations, ServiceError } from "@kb/core";
import { withSessionLock } from "@kb/db";
import {
  Assets,
  type Bounds,
  collectionStore,
  dryStore,
  type ImportJob,
  type ImportResult,
  importJob,
  isEmptyImport,
  isTemporary,
  retryingStore,
  type Store,
  withUnpacked,
} from "@kb/importer";
import type { Command } from "commander";
import { type Access, withService } from "../access.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import { type ActorOptions, findActor } from "../find-actor.ts";
import type { AddLeaf } from "../leaf.ts";
import { showProgress } from "../progress.ts";
import { resultLines } from "./import-summary.ts";

type ImportOptions = ActorOptions & {
  collection: string;
  draft?: boolean;
  update?: boolean;
  dryRun?: boolean;
  textTags?: boolean;
  map?: string;
  maxUnpacked: number;
};

const help = `
The source may be an Obsidian vault, an export of Notion, Outline, Confluence (HTML) or this service, the folder of a
documentation site, or any folder of Markdown files, unpacked or as a ZIP archive. A folder becomes the parent of its files.
Its text comes from the file of the same name next to it, else from its index or README, else it is empty. The title comes
from the front matter, else from the first level-1 heading, else from the file name. Tags, emoji and the date of creation come
from the front matter, which is removed from the text; "draft: true" there keeps the document a draft. Links between files
become links between documents; images and other linked files become attachments. Documents with the same title in the
same place are not imported twice. The exit code is 1 if nothing in the source is a document.`;

/** `kb import` */
export function addImportCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("import")
    .argument("<source>", "folder, or archive of an export")
    .description("import the pages of a folder or of an export into a collection")
    .requiredOption("--collection <collection>", "name or id of the collection; created if it does not exist")
    .option("--dry-run", "write nothing, and report what would be imported and what is not understood")
    .option("--update", "update existing documents from their files (default: leave them unchanged)")
    .option("--draft", "create drafts (default: publish new documents)")
    .option("--text-tags", "also take #tags in the text as tags")
    .option("--map <file>", "write the URL of each imported page to a JSON file, by its path")
    .option("--max-unpacked <gigabytes>", "maximum unpacked size of an archive", gigabytes, 4)
    .option("--user <email>", "user who imports (default: the team's first admin)")
    .option("--team <team>", "name or id of the team, if there are several")
    .addHelpText("after", help);
  leaf(command, (context, given: string, options: ImportOptions) => {
    const source = resolve(context.settings.callerFolder, given);
    return withUnpacked(source, boundsOf(options), context.signal, (folder, unpacked) =>
      withTemporaryFolder(async (temporary) => {
        const found = await stat(folder).catch(() => null);
        if (found === null || !found.isDirectory()) throw new CommandError("usage", `${folder} is not a folder.`);
        const job = await importJob({ folder, isArchive: folder !== source, temporary, unpacked });
        await (options.dryRun === true ? runDry(context, job, options) : runImport(context, job, options));
      }),
    );
  });
}

const maxFiles = 500_000;

const boundsOf = ({ maxUnpacked }: ImportOptions): Bounds => ({
  bytes: maxUnpacked * 1024 ** 3,
  files: maxFiles,
  advice: "Raise the limit with --max-unpacked.",
});

function gigabytes(given: string): number {
  if (/^\d{1,5}(?:\.\d{1,6})?$/.test(given) && Number(given) > 0) return Number(given);
  throw new CommandError("usage", "--max-unpacked must be a number of gigabytes, such as 4 or 0.5.");
}

/** Runs with a folder for converted files, which is removed afterwards. */
async function withTemporaryFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "kb-convert-"));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads everything and resolves all links without a service, and reports what an import would do. */
async function runDry(context: Context, job: ImportJob, options: ImportOptions): Promise<void> {
  const { result } = await runShown(job, dryStore, switchesOf(context.signal, options));
  const head = `Dry run, nothing was written. An import into "${options.collection}" would have:`;
  answer(context, { dryRun: true, product: job.product, files: job.files, ...result }, result, head);
}

/** Locks the collection during its import, and the team's collections during the lookup, so that none is created twice. */
async function runImport(context: Context, job: ImportJob, options: ImportOptions): Promise<void> {
  await withService(context.settings, context.output.progress, async (access) => {
    const startedAt = performance.now();
    const actor = await findActor(access.service, options);
    const collection = await lockedCollection(context, access, actor, options);
    const { result, urls } = await lockedImport(context, access, { actor, collectionId: collection.id, job, options });
    if (options.map !== undefined) await writeMap(resolve(context.settings.callerFolder, options.map), urls);
    const seconds = (performance.now() - startedAt) / 1000;
    const object = { collection, product: job.product, files: job.files, ...result, seconds: round(seconds) };
    answer(context, object, result, `Collection "${collection.name}", ${seconds.toFixed(1)} s:`);
  });
}

/** Runs a job and shows its progress. */
async function runShown(job: ImportJob, store: Store, switches: ReturnType<typeof switchesOf>) {
  const reading = showProgress(process.stderr, "Reading", job.files);
  const writing = showProgress(process.stderr, "Importing", job.files);
  try {
    return await job.run(store, { ...switches, onFile: reading.step, onPage: writing.step });
  } finally {
    reading.end();
    writing.end();
  }
}

const switchesOf = (signal: AbortSignal, options: ImportOptions) => ({
  update: options.update === true,
  textTags: options.textTags === true,
  signal,
});

function answer(
  { output, fail }: Context,
  object: Readonly<Record<string, unknown>>,
  result: ImportResult,
  head: string,
): void {
  output.answer(object, resultLines(result, head));
  if (isEmptyImport(result)) fail();
}

async function writeMap(file: string, urls: ReadonlyMap<string, string>): Promise<void> {
  await writeFile(file, `${JSON.stringify(Object.fromEntries(urls), null, 1)}\n`);
}

type Service = Access["service"];
type Actor = Awaited<ReturnType<typeof findActor>>;

function lockedCollection(
  { signal }: Context,
  { service, databaseUrl: url }: Access,
  actor: Actor,
  options: ImportOptions,
) {
  return withSessionLock({ url, name: `collections ${actor.teamId}`, signal }, () =>
    collectionOf(service, actor, options.collection),
  );
}

type Locked = {
  readonly actor: Actor;
  readonly collectionId: string;
  readonly job: ImportJob;
  readonly options: ImportOptions;
};

function lockedImport(context: Context, access: Access, { actor, collectionId, job, options }: Locked) {
  const { output, signal } = context;
  const { service, databaseUrl: url } = access;
  const onWait = (): void => output.progress("Waiting for another import to this collection to finish.");
  let isLockLost = false;
  return withSessionLock({ url, name: `import ${collectionId}`, onWait, signal }, async (lost) => {
    lost.addEventListener("abort", () => (isLockLost = true));
    // Without the lock another import may write the same documents.
    const stop = AbortSignal.any([signal, lost]);
    const place = { service, actor: () => actor, collectionId, publish: options.draft !== true };
    const assets = new Assets(place, job.others);
    const store = retryingStore(collectionStore(place, assets), {
      onWait: (seconds) => output.progress(`PostgreSQL does not respond. Trying again in ${seconds} s.`),
      signal: stop,
    });
    const done = await runShown(job, store, switchesOf(stop, options));
    done.result.notes.push(...assets.notes);
    return done;
  }).catch((error: unknown) => {
    const advice = "Run the same command again to continue; documents are not imported twice.";
    if (error instanceof ServiceError && isQuotaExceeded(error)) {
      const kept = "Documents imported before the limit stay; nothing of the one that exceeds the quota is stored.";
      throw new CommandError(error.code, `The import stopped: ${error.message} ${kept} ${advice}`, { cause: error });
    }
    if (signal.aborted)
      throw new CommandError("interrupted", `The import was interrupted. ${advice}`, { cause: error });
    if (!isLockLost && !isTemporary(error)) throw error;
    const cause = isLockLost ? "its connection to PostgreSQL ended" : "PostgreSQL does not respond";
    throw new CommandError("unavailable", `The import stopped: ${cause}. ${advice}`, { cause: error });
  });
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

async function collectionOf(service: Service, actor: Actor, given: string): Promise<{ id: string; name: string }> {
  const found = await admin.findCollectionOrNull(service, actor.teamId, given);
  if (found !== null) return found;
  const wanted = given.trim();
  if (wanted === "" || wanted.length > 255) {
    throw new CommandError("usage", "--collection must be an id or a name of at most 255 characters.");
  }
  const { id, name } = await invoke(service, operations.createCollection, actor, { name: wanted });
  return { id, name };
}
