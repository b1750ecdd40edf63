import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";

/** Whether a process of this number lives (also one that belongs to somebody else). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Tells a process from a later one with the same number: its start, within this boot. Null when there is none. */
export function processBirth(pid: number): string | null {
  if (!isAlive(pid)) return null;
  if (process.platform !== "linux") return psColumn(pid, "lstart");
  try {
    // The name in parentheses may hold anything; the start time is the 20th field after it (proc(5), field 22).
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}:${ticks}`;
  } catch {
    return null;
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
