import { dirname, resolve } from "node:path";
import { openFiles } from "@kb/storage";
import type { Command } from "commander";
import { withDatabaseUrl } from "../access.ts";
import { type BackupResult, backUp } from "../backup/backup.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import { requireFolder } from "../folder.ts";
import type { AddLeaf } from "../leaf.ts";
import { inMegabytes } from "../megabytes.ts";

const help = `
The file holds every table as it was at one moment, and the bytes of all attachments, whether they are in a folder or in a
bucket; the service runs on meanwhile. What is sealed in the database stays sealed: keep APP_SECRET (or the file app.secret
of the data folder) apart from it, the webhooks of a restored installation need it. The file is readable by its owner
alone. One that is there already is replaced once the new one is whole. "kb restore" brings it back.`;

/** `kb backup` */
export function addBackupCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("backup")
    .description("write the whole installation into one file, beside a running service too")
    .requiredOption("--out <file>", "the file to write, such as kb.backup.tar.gz")
    .addHelpText("after", help);
  leaf(command, async (context, options: { out: string }) => {
    const out = resolve(options.out);
    await requireFolder(dirname(out));
    const startedAt = performance.now();
    const result = await run(context, out);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    context.output.answer({ file: out, ...result, seconds }, linesOf(out, result));
  });
}

function run({ settings, output, signal }: Context, out: string): Promise<BackupResult> {
  const { store } = openFiles(settings.storage, settings.dataDir);
  return withDatabaseUrl(settings, output.progress, (databaseUrl) =>
    backUp({ databaseUrl, store, out, signal, progress: output.progress }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new CommandError("interrupted", "The backup was interrupted: nothing was written.", { cause: error });
    }),
  );
}

function linesOf(out: string, { bytes, tables, rows, attachments, missing, foreign }: BackupResult): string[] {
  const counts = `${rows} rows of ${tables} tables, ${attachments} attachments`;
  return [
    `${out}: ${counts}, ${inMegabytes(bytes)}`,
    ...missing.map((key) => `warning: the bytes of the attachment ${key} are not in the store, nor in the backup`),
    ...foreign.map((name) => `warning: the table "${name}" is not one of kb, and not in the backup`),
    "Keep APP_SECRET (or app.secret) apart from it: what is sealed in it opens with that alone.",
  ];
}
