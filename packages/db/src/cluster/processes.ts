import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";

/** Whether a process of this number lives (also one that belongs to somebody else); one that only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  return process.platform === "linux" ? linuxStat(pid) !== null : answersSignals(pid);
}

/** Tells a process from a later one with the same number: its start, within this boot. Null when there is none. */
export function processBirth(pid: number): string | null {
  if (process.platform !== "linux") return answersSignals(pid) ? psColumn(pid, "lstart") : null;
  const stat = linuxStat(pid);
  return stat && `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}:${stat.startTicks}`;
}

// proc(5): the name in parentheses may hold anything; after it come the state (field 3) and, as field 22, the start.
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

/** Whether a process is the postmaster of this data folder, and not another with a number used again. */
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
