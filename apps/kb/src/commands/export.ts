import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { admin, type ExportFile, invoke, operations } from "@kb/core";
import { type Command, Option } from "commander";
import { type Access, withService } from "../access.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import { type ActorOptions, findActor } from "../find-actor.ts";
import type { AddLeaf } from "../leaf.ts";
import { inMegabytes } from "../megabytes.ts";
import { type Progress, showProgress } from "../progress.ts";
import { requireFolder } from "../require-folder.ts";

type ExportOptions = ActorOptions & { collection: string; out: string; format: "zip" | "html"; frontMatter: boolean };

const help = `
The archive contains one file per document, in folders that follow the tree of documents, the attachments in uploads/, and
a manifest.json. Use "kb import" to import it again. An existing file is replaced when the new one is complete.`;

/** `kb export` */
export function addExportCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("export")
    .description("export a collection as a ZIP archive")
    .requiredOption("--collection <collection>", "name or id of the collection")
    .requiredOption("--out <file>", "archive to write")
    .addOption(
      new Option("--format <format>", "zip: Markdown files; html: pages").choices(["zip", "html"]).default("zip"),
    )
    .option("--no-front-matter", "omit title, tags and emoji from the Markdown files")
    .option("--user <email>", "export what this user can read (default: the team's first admin)")
    .option("--team <team>", "name or id of the team, if there are several")
    .addHelpText("after", help);
  leaf(command, async (context, options: ExportOptions) => {
    const out = resolve(context.settings.callerFolder, options.out);
    await requireFolder(dirname(out));
    await withService(context.settings, context.output.progress, (access) =>
      exportTo(context, access, { ...options, out }),
    );
  });
}

async function exportTo({ output, signal }: Context, { service }: Access, options: ExportOptions): Promise<void> {
  const { out, format, frontMatter } = options;
  const actor = await findActor(service, options);
  const collection = await admin.findCollection(service, actor.teamId, options.collection);
  const request = { id: collection.id, format, frontMatter };
  const { files } = await invoke(service, operations.exportCollection, actor, request);
  const progress = showProgress(process.stderr, "Exporting", files.length);
  const unfinished = `${out}.unfinished`;
  try {
    const { archiveOf } = await import("@kb/http");
    const archive = Readable.from(archiveOf(files.map((file) => withProgress(file, progress))));
    await pipeline(archive, createWriteStream(unfinished), { signal });
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (signal.aborted) throw new CommandError("interrupted", "The export was interrupted. No file was written.");
    throw error;
  } finally {
    progress.end();
  }
  const { size: bytes } = await stat(out);
  const documents = files.filter(({ path }) => !/^(?:uploads\/|manifest\.json$|index\.html$)/.test(path)).length;
  const attachments = files.filter(({ path }) => path.startsWith("uploads/")).length;
  output.answer({ collection, file: out, format, documents, attachments, bytes }, [
    `${out}: collection "${collection.name}", ${documents} documents, ${attachments} attachments, ${inMegabytes(bytes)}`,
  ]);
}

const withProgress = (file: ExportFile, progress: Progress): ExportFile => ({
  ...file,
  open: () => {
    progress.step(file.path);
    return file.open();
  },
});
