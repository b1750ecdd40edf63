import { readFileSync } from "node:fs";

/** A process between the package manager and this one, with its original parent. */
type Launcher = { readonly pid: number; readonly parent: number };

const checkMs = 250;

/**
 * Calls `onEnd` when the package manager that runs this process ends. Its shells forward no signals, so a signal to `npx`
 * or `pnpm` would leave the service running in the background. Watches every process up to the package manager if `/proc`
 * is available, else only the parent.
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

/** Returns whether the process still has its parent: when a parent ends, the process gets another one. */
function isAttached({ pid, parent }: Launcher): boolean {
  return (pid === process.pid ? process.ppid : parentOf(pid)) === parent;
}

/** Returns the processes of the package manager from `pid` upwards, which have its variable in their environment. */
function ancestors(pid: number): Launcher[] {
  const parent = parentOf(pid);
  if (parent === undefined || !isMarked(pid)) return [];
  return [{ pid, parent }, ...ancestors(parent)];
}

/** Returns the parent of a process; undefined if there is no `/proc` or no such process. */
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
