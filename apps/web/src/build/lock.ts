import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** An older lock is of no build: another process may have got the number of one that was killed. */
const abandonedMs = 120_000;
const checkMs = 100;

/**
 * Runs the work while no other process does, by a file that only one of them can create. It holds the number of its process:
 * a build that was killed holds up nobody.
 */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(file), { recursive: true });
  while (!(await isCreated(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await pause(checkMs);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function isCreated(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  try {
    const [pid, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    // A file without a number is one that its process is about to write.
    return Date.now() - mtimeMs > abandonedMs || (pid !== "" && !isRunning(Number(pid)));
  } catch {
    // Released meanwhile.
    return false;
  }
}

/** Returns whether there is a process with this number; one of another user counts. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
