import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { processBirth } from "./processes.ts";

const Holder = z.object({ pid: z.number(), birth: z.string().nullable(), url: z.string(), token: z.string() });
type Holder = z.infer<typeof Holder>;

/** Another live service works on the data folder. */
export class DataDirInUseError extends Error {
  override readonly name = "DataDirInUseError";
  readonly dataDir: string;
  readonly pid: number;
  readonly url: string;

  constructor(dataDir: string, { pid, url }: { pid: number; url: string }) {
    super(`${dataDir} is in use: process ${pid} serves it at ${url}`);
    this.dataDir = dataDir;
    this.pid = pid;
    this.url = url;
  }
}

/**
 * Takes a data folder for this process, which serves it at `url`. The lock of a process that is gone counts for nothing,
 * also when another process has got its number since. Throws `DataDirInUseError`.
 */
export function lockDataDir(dataDir: string, url: string): { release(): void } {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, "service.lock");
  const own: Holder = { pid: process.pid, birth: processBirth(process.pid), url, token: randomUUID() };
  const draft = `${lock}.${own.token}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!linked(draft, lock)) {
      const holder = read(lock);
      if (holder !== null && isAlive(holder)) throw new DataDirInUseError(folder, holder);
      if (replaced(draft, lock, holder)) break;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (read(lock)?.token === own.token) rmSync(lock, { force: true });
    },
  };
}

// A hard link either makes the whole file appear or fails: nobody ever reads half a lock.
function linked(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function read(lock: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(readFileSync(lock, "utf8")));
  } catch {
    return null;
  }
}

const isAlive = ({ pid, birth }: Holder): boolean => processBirth(pid) === birth;

/**
 * Puts the draft in the place of a stale lock. Several may find the same one: who links a file that is named for it may
 * replace it, if it is still there by then; the others look again.
 */
function replaced(draft: string, lock: string, stale: Holder | null): boolean {
  const claim = `${lock}.after-${encodeURIComponent(stale?.token ?? "unreadable")}`;
  if (!linked(draft, claim)) {
    const claimant = read(claim);
    if (claimant !== null && !isAlive(claimant)) rmSync(claim, { force: true });
    return false;
  }
  try {
    if (!existsSync(lock) || read(lock)?.token !== stale?.token) return false;
    renameSync(draft, lock);
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}
