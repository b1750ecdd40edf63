import { mkdir, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A lock that is older belongs to a process that was killed. */
const abandonedMs = 120_000;
const checkMs = 100;

/** Runs the work while no other process does, by a folder that only one of them can create. */
export async function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(folder), { recursive: true });
  while (!(await isCreated(folder))) {
    if (await isAbandoned(folder)) await rmdir(folder).catch(() => {});
    else await pause(checkMs);
  }
  try {
    return await work();
  } finally {
    await rmdir(folder);
  }
}

async function isCreated(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs;
}
