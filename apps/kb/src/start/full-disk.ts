import { statfsSync } from "node:fs";
import { CommandError, describeFailure } from "../failure.ts";

/** With less, PostgreSQL cannot write the next file of its log, which has 16 MB, and stops. */
const neededBytes = 32_000_000;

/** Failures that no disk explains. */
const otherCodes: ReadonlySet<string> = new Set(["already_running", "port_unusable"]);

/** Returns the bytes that programs may still write to the disk of a folder; undefined if the folder cannot be read. */
function freeBytesOf(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * Returns why the start on the embedded PostgreSQL failed: `disk_full` if the disk of the data folder is, because a full disk looks like
 * many other failures from outside of PostgreSQL; otherwise the error itself.
 */
export function explainedByDisk(error: unknown, dataDir: string): unknown {
  if (error instanceof CommandError && otherCodes.has(error.code)) return error;
  const freeBytes = freeBytesOf(dataDir);
  if (freeBytes === undefined || freeBytes >= neededBytes) return error;
  const what = `The disk of the data folder ${dataDir} is full (${Math.round(freeBytes / 1e6)} MB are free).`;
  const advice = "Free at least 1 GB, or set KB_DATA_DIR to a folder on another disk.";
  return new CommandError("disk_full", `${what} ${advice} It had failed with: ${describeFailure(error).error}`, {
    cause: error,
  });
}
