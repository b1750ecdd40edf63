import { createReadStream, existsSync } from "node:fs";
import { CommandError } from "../failure.ts";
import { type BucketAddress, keyBelow, showAddress } from "./address.ts";
import { type Bucket, bucketError, explained } from "./open-backups.ts";
import { findBackups, isBackupName } from "./rotation.ts";

/** A backup to restore. */
export type BackupSource = { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

/** Opens a backup in a file. @throws {CommandError} `usage` */
export function fileSource(file: string, signal: AbortSignal): BackupSource {
  if (!existsSync(file)) throw new CommandError("usage", `The file ${file} does not exist.`);
  return { name: file, bytes: createReadStream(file, { signal }) };
}

/** Opens a backup in a bucket: the one of the address, or the newest complete one below it. @throws {CommandError} */
export async function bucketSource(bucket: Bucket, address: BucketAddress, signal: AbortSignal): Promise<BackupSource> {
  const last = address.path.slice(address.path.lastIndexOf("/") + 1);
  const object = isBackupName(last) ? address : await newestBelow(bucket, address);
  const bytes = await explained(object, "read it", () => bucket.get(object.path));
  if (bytes === null) throw new CommandError("usage", `There is no backup ${showAddress(object)}.`);
  return { name: showAddress(object), bytes: received(bytes, object, signal) };
}

async function newestBelow(bucket: Bucket, address: BucketAddress): Promise<BucketAddress> {
  const files = await explained(address, "list backups", () => bucket.list(keyBelow(address, "kb-")));
  const [newest] = findBackups(address, files).complete;
  if (newest === undefined)
    throw new CommandError("usage", `There is no complete backup below ${showAddress(address)}.`);
  return { ...address, path: keyBelow(address, newest) };
}

/** Distinguishes a connection that broke from a backup that is damaged. */
async function* received(
  bytes: AsyncIterable<Uint8Array>,
  object: BucketAddress,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      yield chunk;
    }
  } catch (error) {
    throw signal.aborted ? error : bucketError(object, "read it to its end", error);
  }
}
