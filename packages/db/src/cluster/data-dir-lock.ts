import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { makeFolder } from "./make-folder.ts";
import { processBirth } from "./processes.ts";

const Holder = z.object({ pid: z.number(), birth: z.string().nullable(), url: z.string(), token: z.string() });
type Holder = z.infer<typeof Holder>;

/** Another running service uses the data folder. */
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
 * Locks a data folder for this process, which serves it at `url`. Ignores the lock of a process that has ended, even if
 * another process has the same id now.
 * @throws {DataDirInUseError}
 */
export function lockDataDir(dataDir: string, url: string): { release(): void } {
  const folder = resolve(dataDir);
  makeFolder(folder);
  const lock = join(folder, "service.lock");
  const own: Holder = { pid: process.pid, birth: processBirth(process.pid), url, token: randomUUID() };
  const draft = `${lock}.${own.token}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!createLink(draft, lock)) {
      const holder = readHolder(lock);
      if (holder !== null && isAlive(holder)) throw new DataDirInUseError(folder, holder);
      if (replaceStaleLock(draft, lock, holder)) break;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (readHolder(lock)?.token === own.token) rmSync(lock, { force: true });
    },
  };
}

/** Returns the running process that holds a data folder, and the address that it gave; null if none does. */
export function dataDirHolder(dataDir: string): { readonly pid: number; readonly url: string } | null {
  const holder = readHolder(join(resolve(dataDir), "service.lock"));
  return holder !== null && isAlive(holder) ? { pid: holder.pid, url: holder.url } : null;
}

// A hard link creates the complete file or fails, so nobody reads half a lock. Returns false if the file exists.
function createLink(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function readHolder(lock: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(readFileSync(lock, "utf8")));
  } catch {
    return null;
  }
}

const isAlive = ({ pid, birth }: Holder): boolean => processBirth(pid) === birth;

/**
 * Replaces a stale lock by the draft; returns false if another process did. The process that first links a file named for
 * the stale lock may replace it, if it is still there; the others look again.
 */
function replaceStaleLock(draft: string, lock: string, stale: Holder | null): boolean {
  const claim = `${lock}.after-${encodeURIComponent(stale?.token ?? "unreadable")}`;
  if (!createLink(draft, claim)) {
    const claimant = readHolder(claim);
    if (claimant !== null && !isAlive(claimant)) rmSync(claim, { force: true });
    return false;
  }
  try {
    if (!existsSync(lock) || readHolder(lock)?.token !== stale?.token) return false;
    renameSync(draft, lock);
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}
