import { setTimeout as wait } from "node:timers/promises";
import { DataDirInUseError, dataDirHolder, describeCluster, keepClusterRunning, lockDataDir } from "@kb/db";
import { CommandError } from "./failure.ts";

/** The embedded PostgreSQL of a data folder while a command uses it. */
export type EmbeddedServer = {
  readonly url: string;
  /** Whether this process holds the folder; false while `kb start` runs. */
  readonly owned: boolean;
  release(): Promise<void>;
};

/** Replaces the address in the lock of a command, which holds the folder for a moment and serves nobody. */
const commandMark = "kb-command:";
const waitForOtherMs = 60_000;
const pollMs = 100;

/**
 * Returns the server of a running `kb start`, or starts one for this command. A second command waits.
 * @throws {CommandError} `busy` if the folder stays locked without a server
 */
export async function borrowServer(dataDir: string, progress: (message: string) => void): Promise<EmbeddedServer> {
  const deadline = Date.now() + waitForOtherMs;
  for (;;) {
    const holder = tryLock(dataDir, `${commandMark}${process.pid}`);
    if (!(holder instanceof DataDirInUseError)) return startOwned(dataDir, progress, holder);
    const running = holder.url.startsWith(commandMark) ? null : describeCluster(dataDir);
    if (running !== null) return { url: running.url, owned: false, release: async () => {} };
    if (Date.now() > deadline) {
      throw new CommandError("busy", `${dataDir} is in use by process ${holder.pid}, and its database does not start.`);
    }
    await wait(pollMs);
  }
}

/**
 * Starts the server of the folder for `kb start`, after waiting for a command that uses the folder. `beforeStart` runs
 * after the folder is locked and before the server starts.
 * @throws {CommandError} `already_running` if another `kb start` serves the folder
 */
export async function ownServer(
  dataDir: string,
  url: string,
  progress: (message: string) => void,
  beforeStart: () => Promise<void>,
): Promise<EmbeddedServer> {
  const deadline = Date.now() + waitForOtherMs;
  for (let waited = false; ; waited = true) {
    const holder = tryLock(dataDir, url);
    if (!(holder instanceof DataDirInUseError)) return startOwned(dataDir, progress, holder, beforeStart);
    if (!holder.url.startsWith(commandMark) || Date.now() > deadline) throw alreadyRunning(holder);
    if (!waited) progress(`waiting for a kb command (process ${holder.pid}) to finish`);
    await wait(pollMs);
  }
}

function alreadyRunning({ dataDir, pid, url }: DataDirInUseError): CommandError {
  const holder = url.startsWith(commandMark) ? `a kb command (process ${pid})` : `process ${pid} at ${url}`;
  const advice = "Stop it first, or set KB_DATA_DIR and PORT to start another.";
  return new CommandError("already_running", `kb is already running on ${dataDir}: ${holder}. ${advice}`);
}

/** Returns the `kb start` that serves the folder; null if none does. */
export function folderHolder(dataDir: string): { pid: number; url: string } | null {
  const holder = dataDirHolder(dataDir);
  return holder === null || holder.url.startsWith(commandMark) ? null : holder;
}

type Lock = { release(): void };

function tryLock(dataDir: string, url: string): Lock | DataDirInUseError {
  try {
    return lockDataDir(dataDir, url);
  } catch (error) {
    if (error instanceof DataDirInUseError) return error;
    throw unusableFolder(dataDir, error);
  }
}

function unusableFolder(dataDir: string, error: unknown): CommandError {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `Cannot write to the data folder ${dataDir} (${cause}). Set KB_DATA_DIR to a writable folder.`;
  return new CommandError("data_dir_unusable", message, { cause: error });
}

async function startOwned(
  dataDir: string,
  progress: (message: string) => void,
  lock: Lock,
  beforeStart: () => Promise<void> = async () => {},
): Promise<EmbeddedServer> {
  try {
    await beforeStart();
    const { url, stop } = await keepClusterRunning({ dataDir, onProgress: progress });
    const release = async (): Promise<void> => {
      await stop();
      lock.release();
    };
    return { url, owned: true, release };
  } catch (error) {
    lock.release();
    if (error instanceof CommandError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new CommandError("database_failed", `The embedded PostgreSQL did not start: ${cause}`, { cause: error });
  }
}
