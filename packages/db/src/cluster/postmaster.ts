import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPostmasterOf } from "./processes.ts";

/** A running postmaster, from the file that it keeps in its data folder. */
export type Postmaster = { pid: number; port: number; ready: boolean };

/** The live postmaster of a data folder; null when none runs, whatever a stale file says. */
export function findPostmaster(pgData: string): Postmaster | null {
  const lines = readLines(join(pgData, "postmaster.pid"));
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isPostmasterOf(pid, pgData)) return null;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}
