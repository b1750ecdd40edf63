import { createHash, type Hash } from "node:crypto";
import { rememberFailure } from "@kb/storage";
import { CommandError } from "../failure.ts";
import { type BucketAddress, keyBelow, showAddress } from "./address.ts";
import type { BackupTarget } from "./backup.ts";
import { type Bucket, bucketError, explained } from "./open-backups.ts";
import { backupName, checksumSuffix, filesToRemove, findBackups, isFileOfBackup } from "./rotation.ts";

/** How backups are stored in a bucket. */
type BucketPlan = {
  readonly bucket: Bucket;
  readonly address: BucketAddress;
  readonly isEncrypted: boolean;
  /** The number of complete backups to keep; undefined removes none. */
  readonly keep: number | undefined;
};

/**
 * Stores a backup in a bucket, then its checksum, then removes older ones. An object appears when it is complete; the parts of a
 * process that was killed are removed by the next one.
 */
export function bucketTarget(plan: BucketPlan): BackupTarget {
  const { bucket, address, isEncrypted } = plan;
  return async (bytes, { expectedBytes, hasFiles, signal, progress }) => {
    const name = backupName(new Date(), isEncrypted);
    const key = keyBelow(address, name);
    const stored = { ...address, path: key };
    await abandonUploads(plan, progress);
    const sum: Sum = { hash: createHash("sha256"), bytes: 0 };
    const source = rememberFailure(bytes);
    await explained(stored, "write it", () => bucket.put(key, summed(source.bytes, sum, signal), expectedBytes)).catch(
      (error: unknown) => {
        // The bucket is not to blame for an attachment or a row that cannot be read.
        throw source.failure() ?? error;
      },
    );
    await checkStored(plan, stored, sum).catch((error: unknown) => {
      throw signal.aborted ? new CommandError("not_rotated", withoutChecksum(stored), { cause: error }) : error;
    });
    if (plan.keep !== undefined && !hasFiles()) throw new CommandError("not_rotated", withoutFiles(stored));
    return { file: showAddress(stored), removed: await rotate(plan, stored, name, signal) };
  };
}

/** Compares the size of what is stored, and stores its checksum beside it. */
async function checkStored({ bucket, address }: BucketPlan, stored: BucketAddress, sum: Sum): Promise<void> {
  const key = stored.path;
  const files = await explained(address, "list backups", () => bucket.list(keyBelow(address, "kb-")));
  const found = files.find((file) => file.key === key)?.bytes;
  if (found !== sum.bytes) {
    const size = found === undefined ? "is missing" : `has ${found} bytes`;
    throw new CommandError("bucket_failed", `${showAddress(stored)} ${size} after ${sum.bytes} bytes were sent.`);
  }
  // The form of `sha256sum`, which checks it without the private key.
  const name = key.slice(keyBelow(address, "").length);
  const line = Buffer.from(`${sum.hash.digest("hex")}  ${name}\n`);
  await explained(stored, "write its checksum", () => bucket.put(key + checksumSuffix, once(line), line.byteLength));
}

const withoutChecksum = (stored: BucketAddress): string =>
  `${showAddress(stored)} is stored, but the command was interrupted before its checksum was, and no older backup was removed.`;

const withoutFiles = (stored: BucketAddress): string =>
  `${showAddress(stored)} lacks the bytes of most attachments, so no older backup was removed: set S3_* or KB_DATA_DIR as the ` +
  "service has them.";

async function abandonUploads({ bucket, address }: BucketPlan, progress: (message: string) => void): Promise<void> {
  try {
    const count = await bucket.abandonUploads(keyBelow(address, "kb-"), (key) =>
      isFileOfBackup(key.slice(keyBelow(address, "").length)),
    );
    if (count > 0) progress(`Removed the parts of ${count} interrupted backup${count === 1 ? "" : "s"}.`);
  } catch {
    // Not every store lists uploads, and not every key may: a rule of the bucket can remove them instead.
  }
}

type Sum = { readonly hash: Hash; bytes: number };

async function* summed(bytes: AsyncIterable<Uint8Array>, sum: Sum, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    sum.hash.update(chunk);
    sum.bytes += chunk.byteLength;
    yield chunk;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Removes backups that are older than the one that was just stored; returns the names of the removed ones. */
async function rotate(
  { bucket, address, keep }: BucketPlan,
  stored: BucketAddress,
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (keep === undefined) return [];
  try {
    const backups = findBackups(address, await bucket.list(keyBelow(address, "kb-")));
    // A clock that was wrong gives names that sort behind this one.
    const names = filesToRemove(backups, keep).filter((file) => file < name);
    for (const file of names) await bucket.remove(keyBelow(address, file));
    return names.filter((file) => !file.endsWith(checksumSuffix));
  } catch (error) {
    const reason = signal.aborted
      ? "the removal of older ones was interrupted; the next backup continues it."
      : bucketError(address, "remove older backups", error).message;
    throw new CommandError("not_rotated", `${showAddress(stored)} is complete, but: ${reason}`, { cause: error });
  }
}
