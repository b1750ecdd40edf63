import { dirname, resolve } from "node:path";
import { openFiles } from "@kb/storage";
import type { Command } from "commander";
import { withDatabaseUrl } from "../access.ts";
import { type BackupResult, type BackupTarget, backUp } from "../backup/backup.ts";
import { bucketTarget } from "../backup/bucket-target.ts";
import { requireRecipients } from "../backup/encryption.ts";
import { fileTarget } from "../backup/file-target.ts";
import { openBackups } from "../backup/open-backups.ts";
import { requireAddress } from "../backup/require-address.ts";
import type { Context } from "../context.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";
import { inMegabytes } from "../megabytes.ts";
import { requireFolder } from "../require-folder.ts";

const help = `
The backup contains a consistent copy of every table and the bytes of all attachments, from the data folder or the bucket.
The service can keep running. Secrets in the database stay encrypted: store APP_SECRET (or the file app.secret of the data
folder) separately, because webhooks of a restored installation need it.

--out writes a file that only the owner can read. An existing file is replaced when the new one is complete.
--to stores an encrypted object with a new name in a bucket of S3, and its checksum beside it. Create a pair of keys with
"age-keygen" on another machine, and give the service only the public one. --to, --keep and --recipient default to
BACKUP_TO, BACKUP_KEEP and BACKUP_RECIPIENTS, which also encrypts the file of --out. Give each installation a prefix of its own, because --keep counts all backups there.

Use "kb restore" to restore either.`;

type Options = { out?: string; to?: string; keep?: string; recipient?: string[]; encryption: boolean };

/** `kb backup` */
export function addBackupCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("backup")
    .description("back up the whole installation to a file or a bucket; the service can keep running")
    .option("--out <file>", "the file to write, such as kb.backup.tar.gz")
    .option("--to <address>", "the place in a bucket, such as s3://bucket/prefix")
    .option("--keep <number>", "with --to: the number of newest complete backups to keep; older ones are removed")
    .option("--recipient <keys...>", "public keys of age (age1…) for which the backup is encrypted")
    .option("--no-encryption", "do not encrypt the backup, although BACKUP_RECIPIENTS is set or it goes to a bucket")
    .addHelpText("after", help);
  leaf(command, async (context, options: Options) => {
    const plan = await planOf(context, options);
    const startedAt = performance.now();
    const result = await run(context, plan);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const { length: recipients } = plan.recipients;
    context.output.answer({ ...result, recipients, seconds }, [...linesOf(result), ...secretLines(recipients)]);
  });
}

type Plan = { readonly target: BackupTarget; readonly recipients: readonly string[] };

async function planOf({ settings, signal }: Context, options: Options): Promise<Plan> {
  const { out, to, keep, recipient, encryption } = options;
  const { BACKUP_TO, BACKUP_KEEP, BACKUP_RECIPIENTS } = settings.backups;
  if (recipient !== undefined && !encryption)
    throw new CommandError("usage", "--recipient encrypts the backup and --no-encryption does not: use one of them.");
  const recipients = encryption ? (recipient ?? BACKUP_RECIPIENTS) : [];
  if (out !== undefined) {
    if (to !== undefined || keep !== undefined)
      throw new CommandError("usage", "--to and --keep do not go with --out.");
    await requireRecipients(recipients);
    const file = resolve(settings.callerFolder, out);
    await requireFolder(dirname(file));
    return { target: fileTarget(file), recipients };
  }
  const address = requireAddress(to ?? BACKUP_TO);
  if (encryption && recipients.length === 0) throw new CommandError("usage", unencrypted);
  await requireRecipients(recipients);
  const bucket = openBackups(settings, address, { signal });
  const kept = keep === undefined ? BACKUP_KEEP : numberOf(keep);
  return { target: bucketTarget({ bucket, address, isEncrypted: recipients.length > 0, keep: kept }), recipients };
}

const unencrypted =
  "A backup in a bucket is encrypted: create a pair of keys with `age-keygen` on another machine, and set the public key as " +
  "BACKUP_RECIPIENTS or --recipient. --no-encryption stores it unencrypted.";

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new CommandError("usage", "--keep must be a whole number from 1 to 9999.");
  return Number(text);
}

function run({ settings, output, signal }: Context, plan: Plan): Promise<BackupResult> {
  const { store } = openFiles(settings.storage, settings.dataDir);
  return withDatabaseUrl(settings, output.progress, (databaseUrl) =>
    backUp({ databaseUrl, store, ...plan, signal, progress: output.progress }).catch((error: unknown) => {
      if (!signal.aborted || isAfterBackup(error)) throw error;
      throw new CommandError("interrupted", "The backup was interrupted. No backup was stored.", { cause: error });
    }),
  );
}

/** Whether an error came when the backup was complete. */
const isAfterBackup = (error: unknown): boolean => error instanceof CommandError && error.code === "not_rotated";

function linesOf({ file, bytes, tables, rows, attachments, missing, foreign, removed = [] }: BackupResult): string[] {
  const counts = `${rows} rows of ${tables} tables, ${attachments} attachments`;
  return [
    `${file}: ${counts}, ${inMegabytes(bytes)}`,
    ...removed.map((name) => `removed the older backup ${name}`),
    ...missing.map((key) => `warning: the bytes of the attachment ${key} are missing in the store and in the backup`),
    ...foreign.map((name) => `warning: the table "${name}" does not belong to kb and is not in the backup`),
  ];
}

/** The things that a restore needs besides the backup. */
function secretLines(recipients: number): string[] {
  const keys =
    recipients === 1
      ? "a public key: only its private key opens"
      : `${recipients} public keys: each of their private keys opens`;
  return [
    ...(recipients === 0
      ? ["The backup is not encrypted: everybody who can read it can read all documents."]
      : [`Encrypted for ${keys} it.`]),
    "Store APP_SECRET (or app.secret) separately: without it, the secrets in the backup cannot be decrypted.",
  ];
}
