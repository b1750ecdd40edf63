import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, startCluster } from "./cluster.ts";
import type { Settings } from "./launch.ts";

// The data does not outlive the process, so it need not survive a power failure.
const volatile: Settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "64MB" };

/** Starts a PostgreSQL for tests and checks below a folder. It is removed when this process ends. */
export async function startThrowAwayCluster(settings: Settings = {}, folder = tmpdir()): Promise<Cluster> {
  const dataDir = mkdtempSync(join(folder, "kb-throw-away-"));
  const guardian = endWithThisProcess(dataDir);
  const cluster = await startCluster({ dataDir, settings: { ...volatile, ...settings } });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
    guardian.release();
  };
  return { ...cluster, stop };
}

const script = `cat >/dev/null
  for round in 1 2 3 4 5 6; do
    [ -d "$1" ] || exit 0
    pid=$(head -n 1 "$1/postgres/postmaster.pid" 2>/dev/null) && kill -INT "$pid" 2>/dev/null
    sleep 0.5
    [ "$round" -gt 3 ] && [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null
    [ "$round" -gt 1 ] && rm -rf "$1" 2>/dev/null
  done`;

/**
 * Removes the cluster of a data folder, and the folder, soon after this process ends. A shell in its own session waits for
 * the end of its input, which comes even after SIGKILL.
 */
export function endWithThisProcess(dataDir: string): { release(): void } {
  const shell = spawn("sh", ["-c", script, "sh", dataDir], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  shell.unref();
  const { stdin } = shell;
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return { release: () => stdin.end() };
}
