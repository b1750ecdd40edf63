import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { NotEmptyError } from "@kb/db";
import { openFiles } from "@kb/storage";
import type { Command } from "commander";
import { requireDatabase, toCommandError, withDatabaseUrl } from "../access.ts";
import { BackupFileError } from "../backup/format.ts";
import { type RestoreResult, restore } from "../backup/restore.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../env.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";
import { existingSecret } from "../start/secret.ts";

const help = `
The database must be empty. A restore is complete or changes nothing. A backup of an older version is migrated to this
version. Set the APP_SECRET of the original installation, or copy its file app.secret to the data folder.`;

/** `kb restore` */
export function addRestoreCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("restore")
    .argument("<file>", "backup file of `kb backup`")
    .description("restore a backup to an empty installation")
    .addHelpText("after", help);
  leaf(command, async (context, given: string) => {
    const file = resolve(context.settings.callerFolder, given);
    if (!existsSync(file)) throw new CommandError("usage", `The file ${file} does not exist.`);
    const startedAt = performance.now();
    const result = await run(context, file);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    context.output.answer({ file, ...result, seconds }, linesOf(result));
  });
}

function run({ settings, output, signal }: Context, file: string): Promise<RestoreResult> {
  const { store } = openFiles(settings.storage, settings.dataDir);
  const opens = openerOf(settings);
  return withDatabaseUrl(settings, output.progress, async (databaseUrl, owned) => {
    if (!owned) await requireDatabase(databaseUrl);
    return restore({ databaseUrl, store, file, signal, progress: output.progress, opens });
  }).catch((error: unknown) => {
    throw signal.aborted ? interrupted(error) : explain(file, error);
  });
}

const interrupted = (cause: unknown): CommandError =>
  new CommandError("interrupted", "The restore was interrupted. The database is still empty.", { cause });

function explain(file: string, error: unknown): unknown {
  if (error instanceof BackupFileError)
    return new CommandError("bad_backup", `${file} ${error.message}.`, { cause: error });
  if (error instanceof NotEmptyError) {
    const advice = "Set KB_DATA_DIR to a new folder, or DATABASE_URL to a new database.";
    return new CommandError("not_empty", `The database is not empty: ${error.message}. ${advice}`, { cause: error });
  }
  return toCommandError(error);
}

/** Returns a function that checks whether the secret of this installation opens a sealed value. */
function openerOf({ appSecret, appSecretPrevious, dataDir }: Settings): (sealed: Uint8Array) => boolean {
  const secret = appSecret ?? existingSecret(dataDir);
  return (sealed) => {
    if (secret === null) return false;
    try {
      sealer(secret, "webhooks", appSecretPrevious).open(sealed);
      return true;
    } catch {
      return false;
    }
  };
}

function linesOf({ version, createdAt, rows, tables, attachments, secretFits }: RestoreResult): string[] {
  return [
    `Restored ${rows} rows of ${tables} tables and ${attachments} attachments from version ${version}, backed up at ${createdAt}.`,
    ...(secretFits === false
      ? [
          "warning: the secret of this installation cannot decrypt the secrets of webhooks and second factors, so webhooks cannot be",
          "  signed, and people with a second factor cannot log in.",
          "  Before you start the service, set the original APP_SECRET or copy app.secret to the data folder.",
        ]
      : []),
  ];
}
