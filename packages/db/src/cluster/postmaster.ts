import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPostmasterOf } from "./processes.ts";

/** A running postmaster, read from the file in its data folder. */
export type Postmaster = { pid: number; port: number; ready: boolean };

/** Returns the running postmaster of a data folder; null if none runs, even if a stale file names one. */
export function findPostmaster(pgData: string): Postmaster | null {
  const lines = readLines(join(pgData, "postmaster.pid"));
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isPostmasterOf(pid, pgData)) return null;
  return { pid, port: Number(lines[3]), ready: /^(?:ready|standby)$/.test(lines[7]?.trim() ?? "") };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}
