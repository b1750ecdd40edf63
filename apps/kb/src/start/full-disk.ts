import { statfsSync } from "node:fs";
import { CommandError } from "../failure.ts";

/** With less, PostgreSQL cannot write the next file of its log, which has 16 MB, and stops. */
const neededBytes = 32_000_000;

/** Returns the bytes that programs may still write to the disk of a folder. */
function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Returns why the start on the embedded PostgreSQL failed: `disk_full` if the disk of the data folder is, whatever the failure
 * looked like from outside of PostgreSQL; otherwise the error itself.
 */
export function explainedByDisk(error: unknown, dataDir: string, freeBytes = freeBytesOf(dataDir)): unknown {
  if (freeBytes >= neededBytes) return error;
  const what = `The disk of the data folder ${dataDir} is full (${Math.round(freeBytes / 1e6)} MB are free).`;
  const advice = "Free at least 1 GB, or set KB_DATA_DIR to a folder on another disk.";
  return new CommandError("disk_full", `${what} ${advice}`, { cause: error });
}
