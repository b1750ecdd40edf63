import { CommandError } from "../failure.ts";
import { type BucketAddress, parseAddress } from "./address.ts";

/** Parses the address of backups in a bucket. @throws {CommandError} `usage` */
export function requireAddress(text: string | undefined): BucketAddress {
  if (text === undefined)
    throw new CommandError("usage", "Name a file with --out, or a bucket with --to or BACKUP_TO.");
  const address = parseAddress(text);
  if (address === null)
    throw new CommandError("usage", `${text} is not the address of a bucket, such as s3://bucket/prefix.`);
  return address;
}
