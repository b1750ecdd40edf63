import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { NotEmptyError } from "@kb/db";
import { openFiles } from "@kb/storage";
import type { Command } from "commander";
import { explained, withDatabaseUrl } from "../access.ts";
import { BackupFileError } from "../backup/format.ts";
import { type RestoreResult, restore } from "../backup/restore.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../env.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";
import { existingSecret } from "../start/secret.ts";

const help = `
Goes into an empty database alone, and brings everything or nothing. A backup of an older version is brought to the schema
of this one. Set APP_SECRET, or put the file app.secret into the data folder, as the installation had it.`;

/** `kb restore` */
export function addRestoreCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("restore")
    .argument("<file>", "what `kb backup` wrote")
    .description("bring a backup into an empty installation")
    .addHelpText("after", help);
  leaf(command, async (context, given: string) => {
    const file = resolve(given);
    if (!existsSync(file)) throw new CommandError("usage", `There is no file ${file}.`);
    const startedAt = performance.now();
    const result = await run(context, file);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    context.output.answer({ file, ...result, seconds }, linesOf(result));
  });
}

function run({ settings, output, signal }: Context, file: string): Promise<RestoreResult> {
  const { store } = openFiles(settings.storage, settings.dataDir);
  const opens = openerOf(settings);
  return withDatabaseUrl(settings, output.progress, (databaseUrl) =>
    restore({ databaseUrl, store, file, signal, progress: output.progress, opens }),
  ).catch((error: unknown) => {
    throw signal.aborted ? interrupted(error) : explain(file, error);
  });
}

const interrupted = (cause: unknown): CommandError =>
  new CommandError("interrupted", "The restore was interrupted: the database is empty as before.", { cause });

function explain(file: string, error: unknown): unknown {
  if (error instanceof BackupFileError)
    return new CommandError("bad_backup", `${file} ${error.message}.`, { cause: error });
  if (error instanceof NotEmptyError) {
    const way =
      "A backup goes into an empty one alone: set KB_DATA_DIR to a new folder, or DATABASE_URL to a new database.";
    return new CommandError("not_empty", `The database is not empty: ${error.message}. ${way}`, { cause: error });
  }
  return explained(error);
}

/** Whether the secret that this installation would start with opens what is sealed. */
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
    `Restored ${rows} rows of ${tables} tables and ${attachments} attachments, as version ${version} had them at ${createdAt}.`,
    ...(secretFits === false
      ? [
          "warning: what is sealed does not open with the secret of this installation, and webhooks cannot be signed.",
          "  Set APP_SECRET (or put app.secret into the data folder) as it was before the service starts.",
        ]
      : []),
  ];
}
