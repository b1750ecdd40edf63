import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A server in its own process. */
export type ServerProcess = {
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

/** Starts a script and waits until it prints `ready`. @throws {Error} if it ends before */
export async function startServer(
  script: string,
  args: readonly string[],
  port: number,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await ready(child, script);
  const stop = (): Promise<void> => {
    // Does nothing to a process that has ended.
    child.kill("SIGTERM");
    return ended;
  };
  return { port, pid: child.pid ?? 0, ended, stop };
}

function ready(child: ChildProcess, script: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let heard = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    heard = (heard + chunk.toString()).slice(-10_000);
    if (/ready\b/.test(heard)) resolve();
  });
  child.once("exit", (code) => reject(new Error(`${script} ended with ${code} before it served: ${heard}`)));
  return promise;
}

/** Returns the CPU time of a process so far, in milliseconds; undefined without /proc, which only Linux has. */
export function cpuMs(pid: number): number | undefined {
  return statOf(pid)?.ownMs;
}

/** Returns the CPU time of the children of a process. Those of PostgreSQL's first process serve the connections. */
export function childrenCpuMs(pid: number): number | undefined {
  const stats = allStats();
  if (stats === undefined) return undefined;
  return [...stats.values()].reduce((sum, { parent, ownMs }) => (parent === pid ? sum + ownMs : sum), 0);
}

/** Returns the CPU time of a process and all its descendants, also of those that have ended; undefined without /proc. */
export function treeCpuMs(root: number): number | undefined {
  const stats = allStats();
  if (stats === undefined) return undefined;
  const isInTree = (pid: number): boolean => {
    const stat = stats.get(pid);
    return pid === root || (stat !== undefined && isInTree(stat.parent));
  };
  return [...stats].reduce((sum, [pid, { ownMs, endedMs }]) => (isInTree(pid) ? sum + ownMs + endedMs : sum), 0);
}

/** The CPU times of a process, in milliseconds: its own, and that of its descendants that have ended. */
type Stat = { readonly parent: number; readonly ownMs: number; readonly endedMs: number };

const msPerTick = 10;

function allStats(): Map<number, Stat> | undefined {
  const stats = new Map<number, Stat>();
  try {
    for (const name of readdirSync("/proc")) {
      const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
      if (stat !== undefined) stats.set(Number(name), stat);
    }
  } catch {
    return undefined;
  }
  return stats;
}

/** Reads the stat file of a process (proc_pid_stat(5)); undefined if it has ended. */
function statOf(pid: number): Stat | undefined {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "").split(" ").map(Number);
    const [parent = 0, own = 0, system = 0, ended = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((n) => fields[n]);
    return { parent, ownMs: (own + system) * msPerTick, endedMs: (ended + endedSystem) * msPerTick };
  } catch {
    return undefined;
  }
}
