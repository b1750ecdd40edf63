import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { admin, type ExportFile, invoke, operations } from "@kb/core";
import { archiveOf } from "@kb/http";
import { type Command, Option } from "commander";
import { type Access, withService } from "../access.ts";
import { type Acting, actorOf } from "../acting.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import { requireFolder } from "../folder.ts";
import { type Progress, showProgress } from "../import/progress.ts";
import type { AddLeaf } from "../leaf.ts";
import { inMegabytes } from "../megabytes.ts";

type ExportOptions = Acting & { collection: string; out: string; format: "zip" | "html"; frontMatter: boolean };

const help = `
The archive holds a file for each document, in folders as the documents stand below each other, the attachments below
uploads/, and a manifest.json. "kb import" of it makes the same collection again. A file that is there already is
replaced once the new one is whole.`;

/** `kb export` */
export function addExportCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("export")
    .description("export a collection as a ZIP archive")
    .requiredOption("--collection <collection>", "its name or id")
    .requiredOption("--out <file>", "the archive to write")
    .addOption(
      new Option("--format <format>", "zip: Markdown files; html: pages").choices(["zip", "html"]).default("zip"),
    )
    .option("--no-front-matter", "leave title, tags and emoji out of the Markdown files")
    .option("--user <email>", "what this user sees (default: what the team's first admin sees)")
    .option("--team <team>", "the team's name or id, where there are several")
    .addHelpText("after", help);
  leaf(command, async (context, options: ExportOptions) => {
    const out = resolve(options.out);
    await requireFolder(dirname(out));
    await withService(context.settings, context.output.progress, (access) =>
      exportTo(context, access, { ...options, out }),
    );
  });
}

async function exportTo({ output, signal }: Context, { service }: Access, options: ExportOptions): Promise<void> {
  const { out, format, frontMatter } = options;
  const actor = await actorOf(service, options);
  const collection = await admin.findCollection(service, actor.teamId, options.collection);
  const request = { id: collection.id, format, frontMatter };
  const { files } = await invoke(service, operations.exportCollection, actor, request);
  const progress = showProgress(process.stderr, "Exporting", files.length);
  const unfinished = `${out}.unfinished`;
  try {
    const archive = Readable.from(archiveOf(files.map((file) => counted(file, progress))));
    await pipeline(archive, createWriteStream(unfinished), { signal });
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (signal.aborted) throw new CommandError("interrupted", "The export was interrupted: nothing was written.");
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

const counted = (file: ExportFile, progress: Progress): ExportFile => ({
  ...file,
  open: () => {
    progress.step(file.path);
    return file.open();
  },
});
