import { dirname, resolve } from "node:path";
import { openFiles } from "@kb/storage";
import type { Command } from "commander";
import { withDatabaseUrl } from "../access.ts";
import { type BackupResult, backUp } from "../backup/backup.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";
import { inMegabytes } from "../megabytes.ts";
import { requireFolder } from "../require-folder.ts";

const help = `
The file contains a consistent copy of every table and the bytes of all attachments, from the data folder or the bucket.
The service can keep running. Secrets in the database stay encrypted: store APP_SECRET (or the file app.secret of the data
folder) separately, because webhooks of a restored installation need it. Only the owner can read the file. An existing
file is replaced when the new one is complete. Use "kb restore" to restore it.`;

/** `kb backup` */
export function addBackupCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("backup")
    .description("back up the whole installation to one file; the service can keep running")
    .requiredOption("--out <file>", "the file to write, such as kb.backup.tar.gz")
    .addHelpText("after", help);
  leaf(command, async (context, options: { out: string }) => {
    const out = resolve(context.settings.callerFolder, options.out);
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
      throw new CommandError("interrupted", "The backup was interrupted. No file was written.", { cause: error });
    }),
  );
}

function linesOf(out: string, { bytes, tables, rows, attachments, missing, foreign }: BackupResult): string[] {
  const counts = `${rows} rows of ${tables} tables, ${attachments} attachments`;
  return [
    `${out}: ${counts}, ${inMegabytes(bytes)}`,
    ...missing.map((key) => `warning: the bytes of the attachment ${key} are missing in the store and in the backup`),
    ...foreign.map((name) => `warning: the table "${name}" does not belong to kb and is not in the backup`),
    "Store APP_SECRET (or app.secret) separately: without it, the secrets in the backup cannot be decrypted.",
  ];
}
