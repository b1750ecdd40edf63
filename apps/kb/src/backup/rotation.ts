import type { BucketFile } from "@kb/storage";
import { type BucketAddress, keyBelow } from "./address.ts";

/** Ends the name of the checksum of a backup, which is written last: a backup without it is incomplete. */
export const checksumSuffix = ".sha256";

const nameForm = /^kb-\d{8}T\d{9}Z\.tar\.gz(?:\.age)?$/;

/** Returns the name of a backup; names are in the order of their times. */
export function backupName(at: Date, isEncrypted: boolean): string {
  return `kb-${at.toISOString().replaceAll(/[-:.]/g, "")}.tar.gz${isEncrypted ? ".age" : ""}`;
}

/** Returns whether a text is the name of a backup. */
export const isBackupName = (name: string): boolean => nameForm.test(name);

/** Returns whether a text is the name of a backup or of its checksum. */
export const isFileOfBackup = (name: string): boolean => isBackupName(objectOf(name));

/** Returns the time of a backup by its name. */
export function timeOf(name: string): Date {
  const [, year, month, day, hour, minute, second, ms] =
    /^kb-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(name) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

/** The backups at an address. */
export type Backups = {
  /** The names of the complete ones, the newest first. */
  readonly complete: readonly string[];
  /** The names of files of a backup of which another file is missing. */
  readonly incomplete: readonly string[];
};

/** Finds the backups among the files below an address. */
export function findBackups(address: BucketAddress, files: readonly BucketFile[]): Backups {
  const start = keyBelow(address, "").length;
  const names = new Set(files.map(({ key }) => key.slice(start)).filter(isFileOfBackup));
  const isComplete = (name: string): boolean => names.has(objectOf(name)) && names.has(objectOf(name) + checksumSuffix);
  return {
    complete: [...names]
      .filter((name) => isBackupName(name) && isComplete(name))
      .sort()
      .reverse(),
    incomplete: [...names].filter((name) => !isComplete(name)),
  };
}

const objectOf = (name: string): string =>
  name.endsWith(checksumSuffix) ? name.slice(0, -checksumSuffix.length) : name;

/**
 * Returns the names of the files to remove so that the newest `keep` complete backups stay, in the order in which to remove them:
 * a backup loses its checksum first, so that it counts as incomplete from then on. Files of incomplete backups that are older than
 * all kept ones go too.
 */
export function filesToRemove({ complete, incomplete }: Backups, keep: number): string[] {
  const oldestKept = complete.slice(0, Math.max(keep, 1)).at(-1);
  if (oldestKept === undefined) return [];
  const old = complete.filter((name) => name < oldestKept).flatMap((name) => [name + checksumSuffix, name]);
  return [...old, ...incomplete.filter((name) => objectOf(name) < oldestKept)];
}
