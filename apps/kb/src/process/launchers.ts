import { readFileSync } from "node:fs";

/** A process between the package manager and this one, and the parent that it had at first. */
type Launcher = { readonly pid: number; readonly parent: number };

const checkMs = 250;

/**
 * Calls `onEnd` once the package manager that runs this process is gone. It runs us through shells which pass no signal
 * on: a signal for `npx` or `pnpm` would leave the service without anybody who knows of it. Watches every process up to
 * the package manager where `/proc` tells of them, else the parent alone.
 */
export function watchLaunchers(onEnd: () => void): void {
  const launchers = [{ pid: process.pid, parent: process.ppid }, ...ancestors(process.ppid)];
  const timer = setInterval(() => {
    if (launchers.every(isAttached)) return;
    clearInterval(timer);
    onEnd();
  }, checkMs);
  timer.unref();
}

/** A process whose parent ends gets another one. */
function isAttached({ pid, parent }: Launcher): boolean {
  return (pid === process.pid ? process.ppid : parentOf(pid)) === parent;
}

/** The processes that a package manager began, from `pid` upwards: it leaves its mark in their environment. */
function ancestors(pid: number): Launcher[] {
  const parent = parentOf(pid);
  if (parent === undefined || !isMarked(pid)) return [];
  return [{ pid, parent }, ...ancestors(parent)];
}

/** The parent of any process; undefined where there is no `/proc`, or no such process. */
function parentOf(pid: number): number | undefined {
  const status = read(`/proc/${pid}/status`);
  const parent = /^PPid:\s*(\d+)$/m.exec(status)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function isMarked(pid: number): boolean {
  return read(`/proc/${pid}/environ`)
    .split("\0")
    .some((variable) => variable.startsWith("npm_lifecycle_event="));
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
