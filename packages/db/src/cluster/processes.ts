import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";

/** Returns whether a process runs, of any user. A zombie does not. */
export function isAlive(pid: number): boolean {
  return process.platform === "linux" ? linuxStat(pid) !== null : answersSignals(pid);
}

/** Returns the start of a process within this boot, which distinguishes it from a later one with its id; null if it ended. */
export function processBirth(pid: number): string | null {
  if (process.platform !== "linux") return answersSignals(pid) ? psColumn(pid, "lstart") : null;
  const stat = linuxStat(pid);
  return stat && `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}:${stat.startTicks}`;
}

// proc(5): the name in parentheses may contain anything; the state (field 3) and the start (field 22) follow it.
function linuxStat(pid: number): { startTicks: string } | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const ended = fields[0] === "Z" || fields[0] === "X";
  return ended ? null : { startTicks: fields[19] ?? "" };
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Returns whether a process is the postmaster of this data folder, not another process with a reused id. */
export function isPostmasterOf(pid: number, pgData: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return psColumn(pid, "command")?.includes(pgData) ?? false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgData);
  } catch {
    return false;
  }
}

function psColumn(pid: number, column: string): string | null {
  const { status, stdout } = spawnSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
