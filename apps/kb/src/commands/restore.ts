import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { isDiskFull, NotEmptyError } from "@kb/db";
import { openFiles } from "@kb/storage";
import type { Command } from "commander";
import { requireDatabase, toCommandError, withDatabaseUrl } from "../access.ts";
import { readIdentities } from "../backup/encryption.ts";
import { BackupFileError } from "../backup/format.ts";
import { openBackups } from "../backup/open-backups.ts";
import { requireAddress } from "../backup/require-address.ts";
import { type RestoreResult, restore } from "../backup/restore.ts";
import { type BackupSource, bucketSource, fileSource } from "../backup/source.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../env.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";
import { existingSecret } from "../start/secret.ts";

const help = `
The database must be empty. A restore is complete or changes nothing. A backup of an older version is migrated to this
version. Set the APP_SECRET of the original installation, or copy its file app.secret to the data folder.

--from s3://bucket/prefix restores the newest complete backup there, --from with its whole address a certain one. --identity
names the file of "age-keygen" with the private key of an encrypted backup.`;

type Options = { from?: string; identity?: string };

/** `kb restore` */
export function addRestoreCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("restore")
    .argument("[file]", "backup file of `kb backup`")
    .description("restore a backup to an empty installation")
    .option("--from <address>", "the place of a backup in a bucket, such as s3://bucket/prefix")
    .option("--identity <file>", "the file with the private key of an encrypted backup")
    .addHelpText("after", help);
  leaf(command, async (context, given: string | undefined, { from, identity }: Options) => {
    const { settings, signal } = context;
    const identities = identity === undefined ? [] : await readIdentities(resolve(settings.callerFolder, identity));
    const source = await sourceOf(settings, signal, given, from).catch((error: unknown) => {
      throw signal.aborted ? interrupted(error) : error;
    });
    const startedAt = performance.now();
    const result = await run(context, source, identities);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    context.output.answer({ file: source.name, ...result, seconds }, linesOf(result));
  });
}

async function sourceOf(
  settings: Settings,
  signal: AbortSignal,
  file: string | undefined,
  from: string | undefined,
): Promise<BackupSource> {
  if ((file === undefined) === (from === undefined))
    throw new CommandError("usage", "Name a file, or a place in a bucket with --from.");
  if (file !== undefined) return fileSource(resolve(settings.callerFolder, file), signal);
  const address = requireAddress(from);
  return bucketSource(openBackups(settings, address, { signal }), address, signal);
}

function run(
  { settings, output, signal }: Context,
  { name, bytes: source }: BackupSource,
  identities: readonly string[],
): Promise<RestoreResult> {
  const { store } = openFiles(settings.storage, settings.dataDir);
  const opens = openerOf(settings);
  return withDatabaseUrl(settings, output.progress, async (databaseUrl, owned) => {
    if (!owned) await requireDatabase(databaseUrl);
    return restore({ databaseUrl, store, source, identities, signal, progress: output.progress, opens });
  }).catch((error: unknown) => {
    throw signal.aborted ? interrupted(error) : explain(name, error);
  });
}

const interrupted = (cause: unknown): CommandError =>
  new CommandError("interrupted", "The restore was interrupted. The database is still empty.", { cause });

function explain(file: string, error: unknown): unknown {
  if (error instanceof BackupFileError)
    return new CommandError("bad_backup", `${file} ${error.message}.`, { cause: error });
  if (error instanceof NotEmptyError) {
    const advice = "Set KB_DATA_DIR to a new folder, or DATABASE_URL (and DATABASE_DIRECT_URL) to a new database.";
    return new CommandError("not_empty", `The database is not empty: ${error.message}. ${advice}`, { cause: error });
  }
  if (isDiskFull(error))
    return new CommandError("disk_full", "The disk of PostgreSQL is full. The database is still empty.", {
      cause: error,
    });
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
